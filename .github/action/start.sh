#!/usr/bin/env bash
# Serves a wiki in the background, and returns when it answers. action.yml says what the variables
# mean. The server ends with the job.
set -euo pipefail

install=${WIKI_INSTALL:-$GITHUB_ACTION_PATH}
if [ "$install" != none ]; then
    python3 -m pip install --quiet --disable-pip-version-check "$install"
fi

source=
if [ -n "$WIKI_SOURCE" ]; then
    source=$(realpath "$WIKI_SOURCE")
fi
mkdir "$WIKI_FOLDER"
cd "$WIKI_FOLDER"
{
    echo "[site]"
    echo "server = \"http://$WIKI_LISTEN\""
    if [ "$WIKI_WRITABLE" = true ]; then
        echo "writable = true"
    fi
    # All clients are on this machine, and would get it with each answer.
    echo "[http]"
    echo 'debug_info = "off"'
} >wikiapi.toml

wikiapi db init
if [ -n "$source" ]; then
    wikiapi import "$source"
fi
if [ "$WIKI_WRITABLE" = true ]; then
    printf '%s\n' "$WIKI_PASSWORD" | wikiapi user add "$WIKI_USER" --group sysop --group bureaucrat --group bot
fi

answers="from urllib.request import urlopen; urlopen('http://$WIKI_LISTEN/healthz', timeout=5)"
nohup wikiapi serve --listen "$WIKI_LISTEN" >wikiapi.log 2>&1 &
echo $! >wikiapi.pid
for _ in $(seq 100); do
    if python3 -c "$answers" 2>/dev/null; then
        api=http://$WIKI_LISTEN/w/api.php
        echo "The wiki answers at $api."
        echo "api=$api" >>"$GITHUB_OUTPUT"
        echo "log=$PWD/wikiapi.log" >>"$GITHUB_OUTPUT"
        exit
    fi
    if ! kill -0 "$(cat wikiapi.pid)" 2>/dev/null; then
        break
    fi
    sleep 0.2
done
cat wikiapi.log >&2
exit 1
