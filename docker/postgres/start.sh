#!/bin/sh
# Makes the database where PGDATA is empty, then becomes the server. Variables and arguments are those of docker.io/library/postgres:
# POSTGRES_USER, POSTGRES_PASSWORD_FILE, POSTGRES_DB, POSTGRES_INITDB_ARGS, PGDATA, whose parent folder must be writable.
set -eu
umask 077
case ${1:-} in '' | -*) set -- postgres "$@" ;; esac
[ "$1" = postgres ] || exec "$@"

# initdb wants its user to have a name, and a container may have any uid.
if ! getent passwd "$(id -u)" >/dev/null; then
  NSS_WRAPPER_PASSWD=$(mktemp) NSS_WRAPPER_GROUP=$(mktemp) LD_PRELOAD=libnss_wrapper.so
  echo "postgres:x:$(id -u):$(id -g)::/tmp:/bin/false" >"$NSS_WRAPPER_PASSWD"
  echo "postgres:x:$(id -g):" >"$NSS_WRAPPER_GROUP"
  export NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP LD_PRELOAD
fi

if ! [ -s "$PGDATA/PG_VERSION" ]; then
  user=${POSTGRES_USER:-postgres} name=${POSTGRES_DB:-${POSTGRES_USER:-postgres}}
  # It appears whole: what an interrupted first start left is removed.
  partial=$PGDATA.partial
  rm -rf "$partial"
  # shellcheck disable=SC2086 # several arguments
  initdb --pgdata="$partial" --username="$user" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 \
    ${POSTGRES_INITDB_ARGS:---encoding=UTF8 --locale=C}
  echo 'host all all all scram-sha-256' >>"$partial/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$partial/postgresql.conf"
  [ "$name" = postgres ] ||
    printf 'CREATE DATABASE "%s"\n' "$name" | postgres --single -D "$partial" -c exit_on_error=on postgres >/dev/null
  [ ! -d "$PGDATA" ] || rmdir "$PGDATA"
  mv "$partial" "$PGDATA"
fi
unset LD_PRELOAD NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP
exec "$@"
