#!/bin/sh
# Makes the service's role in a new database; `paizhang db role` says what it may do.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set "password=$(cat /run/secrets/app_password)" <<'SQL'
CREATE ROLE paizhang_app LOGIN PASSWORD :'password';
SQL
