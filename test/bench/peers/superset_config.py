"""Settings of Superset for the comparison: records, cache and locks in files, as nothing else is installed."""

import os
from datetime import timedelta

_HOME = os.environ["SUPERSET_HOME"]
_CACHE = {"CACHE_TYPE": "FileSystemCache", "CACHE_DIR": f"{_HOME}/cache", "CACHE_DEFAULT_TIMEOUT": 86400}

SECRET_KEY = "of-a-benchmark-that-listens-on-loopback-only"
SQLALCHEMY_DATABASE_URI = f"sqlite:///{_HOME}/superset.db?check_same_thread=false"
CACHE_CONFIG = _CACHE
DATA_CACHE_CONFIG = _CACHE
JWT_ACCESS_TOKEN_EXPIRES = timedelta(days=1)
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
LOG_LEVEL = "WARNING"
