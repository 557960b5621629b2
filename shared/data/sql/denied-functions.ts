/**
 * Functions of DuckDB 1.5.6 that users' SQL must not call, with the reason. All other functions of that version are in
 * `allowed-functions.json`. A name in neither list, as after an upgrade, is rejected and fails a test until it is
 * reviewed.
 */
export const DENIED_FUNCTIONS: Record<string, RegExp> = {
  'internals of the engine':
    /^(__internal_.*|alias|can_cast_implicitly|cast_to_type|combine|constant_or_null|create_sort_key|finalize|format_pg_type|get_block_size|get_type|make_type|map_to_pg_oid|parse_duckdb_log_message|remap_struct|replace_type|stats|timetz_byte_comparable|variant_bytes_to_variant|variant_normalize|variant_to_parquet_variant|vector_type)$/,
  'another answer at every call':
    /^(currval|error|gen_random_uuid|nextval|random|setseed|sleep_ms|uuid|uuidv4|uuidv7|write_log)$/,
  'SQL inside of SQL': /^(json_deserialize_sql|json_serialize_plan|json_serialize_sql)$/,
  'the session and the machine':
    /^(current_catalog|current_connection_id|current_database|current_query|current_query_id|current_role|current_schema|current_schemas|current_setting|current_transaction_id|current_user|getvariable|in_search_path|inet_.*|session_user|txid_current|user|version)$/,
  'the catalog': /^(col_description|format_type|has_.*_privilege|obj_description|pg_.*|shobj_description)$/,
};

/** Table functions that only turn their arguments into rows. All others read files, settings or the catalog. */
export const ALLOWED_TABLE_FUNCTIONS = new Set(['range', 'generate_series', 'unnest']);
