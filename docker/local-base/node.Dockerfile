# Node and npm on the local Debian, to compile with, where no node image can be pulled.
ARG DEBIAN_IMAGE
FROM ${DEBIAN_IMAGE}
# Whatever mode the copied file has: pods run as users that no image knows.
COPY --chmod=0755 node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
CMD ["node"]
