#!/bin/bash
# Succeeds when the server would take calls. Bash opens the connection itself: the image has no curl.
set -eu
port=${E2E_MCP_PORT:-3000}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3
read -r -t 5 status <&3
case $status in
    "HTTP/1.1 200 "*) exit 0 ;;
    *) echo "$status" >&2; exit 1 ;;
esac
