# The slow half of the sandbox image: Debian, the packages named in base.json, Node and npm.
ARG DEBIAN
FROM ${DEBIAN}
ARG PACKAGES
COPY node /usr/local/bin/node
COPY build /tmp/build
RUN sh /tmp/build/install-base.sh
ENV LANG=C.UTF-8
LABEL dev.autolith.image=1
