/**
 * How the guide's `verify` of each language is run: a program around it reads one case per line – secret, timestamp,
 * delivery id, signature, previous signature and the body in base64, with tabs between – and prints true or false for
 * it.
 */
export interface Driver {
  /** The fence of the code in the guide. */
  fence: string;
  /** Answers the version if the language is at hand. */
  probe: [command: string, ...args: string[]];
  files: (snippet: string) => Record<string, string>;
  /** Commands of which the last one reads the cases. */
  run: [command: string, ...args: string[]][];
}

const NODE = `
import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
for (const line of readFileSync(0, 'utf8').trimEnd().split('\\n')) {
  const [secret, timestamp, id, signature, previous, body] = line.split('\\t');
  const headers = { 'x-service-timestamp': timestamp, 'x-service-delivery-id': id };
  if (signature) headers['x-service-signature'] = signature;
  if (previous) headers['x-service-signature-previous'] = previous;
  console.log(verify(secret, headers, Buffer.from(body, 'base64')));
}
`;

const PYTHON = `
import base64
import sys
from verify import verify
for line in sys.stdin.read().rstrip("\\n").split("\\n"):
    secret, timestamp, delivery_id, signature, previous, body = line.split("\\t")
    headers = {"x-service-timestamp": timestamp, "x-service-delivery-id": delivery_id}
    if signature:
        headers["x-service-signature"] = signature
    if previous:
        headers["x-service-signature-previous"] = previous
    print(str(verify(secret, headers, base64.b64decode(body))).lower())
`;

const GO = `
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

type headers map[string]string

func (h headers) Get(name string) string { return h[name] }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\\t")
		body, _ := base64.StdEncoding.DecodeString(parts[5])
		header := headers{}
		names := []string{"X-Service-Timestamp", "X-Service-Delivery-Id", "X-Service-Signature", "X-Service-Signature-Previous"}
		for i, name := range names {
			if parts[i+1] != "" {
				header[name] = parts[i+1]
			}
		}
		fmt.Println(Verify(parts[0], header, body))
	}
}
`;

const RUBY = `
require "base64"
require_relative "verify"
$stdin.each_line(chomp: true) do |line|
  secret, timestamp, id, signature, previous, body = line.split("\\t", -1)
  headers = { "x-service-timestamp" => timestamp, "x-service-delivery-id" => id }
  headers["x-service-signature"] = signature unless signature.empty?
  headers["x-service-signature-previous"] = previous unless previous.empty?
  puts verify(secret, headers, Base64.decode64(body))
end
`;

const PHP = `<?php
require __DIR__ . '/verify.php';
foreach (explode("\\n", rtrim(stream_get_contents(STDIN), "\\n")) as $line) {
    [$secret, $timestamp, $id, $signature, $previous, $body] = explode("\\t", $line);
    $headers = ['x-service-timestamp' => $timestamp, 'x-service-delivery-id' => $id];
    if ($signature !== '') $headers['x-service-signature'] = $signature;
    if ($previous !== '') $headers['x-service-signature-previous'] = $previous;
    echo verify($secret, $headers, base64_decode($body)) ? 'true' : 'false', "\\n";
}
`;

const JAVA = `
import java.util.Base64;
import java.util.HashMap;
import java.util.Scanner;

final class Driver {
    public static void main(String[] args) throws Exception {
        Scanner lines = new Scanner(System.in, "UTF-8");
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split("\\t", -1);
            HashMap<String, String> headers = new HashMap<>();
            headers.put("x-service-timestamp", parts[1]);
            headers.put("x-service-delivery-id", parts[2]);
            if (!parts[3].isEmpty()) headers.put("x-service-signature", parts[3]);
            if (!parts[4].isEmpty()) headers.put("x-service-signature-previous", parts[4]);
            System.out.println(Webhooks.verify(parts[0], headers, Base64.getDecoder().decode(parts[5])));
        }
    }
}
`;

const CSHARP = `
while (Console.ReadLine() is { } line)
{
    var parts = line.Split('\\t');
    var headers = new Dictionary<string, string> { ["x-service-timestamp"] = parts[1], ["x-service-delivery-id"] = parts[2] };
    if (parts[3] != "") headers["x-service-signature"] = parts[3];
    if (parts[4] != "") headers["x-service-signature-previous"] = parts[4];
    Console.WriteLine(Webhooks.Verify(parts[0], headers, Convert.FromBase64String(parts[5])) ? "true" : "false");
}
`;
const CSHARP_PROJECT = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>
<OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><RollForward>Major</RollForward>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>`;

/** It has neither freshness nor a previous signature. */
const SHELL = `
. ./verify.sh
tab=$(printf '\\t')
while IFS= read -r line; do
  field() { printf '%s' "$line" | cut -d"$tab" -f"$1"; }
  SECRET=$(field 1)
  field 6 | openssl base64 -d -A > body
  if verify "$(field 2)" "$(field 3)" "$(field 4)" body; then echo true; else echo false; fi
done
`;

export const DRIVERS: Record<string, Driver> = {
  'Node.js': {
    fence: 'js',
    probe: ['node', '--version'],
    files: (snippet) => ({ 'verify.mjs': snippet, 'driver.mjs': NODE }),
    run: [['node', 'driver.mjs']],
  },
  Python: {
    fence: 'python',
    probe: ['python3', '--version'],
    files: (snippet) => ({ 'verify.py': snippet, 'driver.py': PYTHON }),
    run: [['python3', 'driver.py']],
  },
  Go: {
    fence: 'go',
    probe: ['go', 'version'],
    files: (snippet) => ({ 'verify.go': snippet, 'driver.go': GO, 'go.mod': 'module webhooks\n\ngo 1.21\n' }),
    run: [['go', 'build', '-o', 'driver', '.'], ['./driver']],
  },
  Ruby: {
    fence: 'ruby',
    probe: ['ruby', '--version'],
    files: (snippet) => ({ 'verify.rb': snippet, 'driver.rb': RUBY }),
    run: [['ruby', 'driver.rb']],
  },
  PHP: {
    fence: 'php',
    probe: ['php', '--version'],
    files: (snippet) => ({ 'verify.php': snippet, 'driver.php': PHP }),
    run: [['php', 'driver.php']],
  },
  Java: {
    fence: 'java',
    probe: ['javac', '-version'],
    files: (snippet) => ({ 'Webhooks.java': snippet, 'Driver.java': JAVA }),
    run: [
      ['javac', 'Webhooks.java', 'Driver.java'],
      ['java', '-cp', '.', 'Driver'],
    ],
  },
  'C#': {
    fence: 'csharp',
    probe: ['dotnet', '--version'],
    files: (snippet) => ({ 'Webhooks.cs': snippet, 'Program.cs': CSHARP, 'webhooks.csproj': CSHARP_PROJECT }),
    run: [['dotnet', 'run']],
  },
  Shell: {
    fence: 'sh',
    probe: ['openssl', 'version'],
    files: (snippet) => ({ 'verify.sh': snippet, 'driver.sh': SHELL }),
    run: [['sh', 'driver.sh']],
  },
};
