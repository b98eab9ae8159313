# One recipe for the image of every function; `npm run images` builds them all:
#   docker build --build-arg FUNCTION=fan-out -t ghcr.io/krm-variants/fan-out:v0.1.0 .
# BASE may be any image with Node 20.19 or newer and a user nobody: kpt runs functions as nobody.
ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot
FROM ${BASE}
ARG FUNCTION
COPY --chmod=0555 dist/${FUNCTION}.mjs /function.mjs
# Distroless images keep Node in a folder of its own.
ENV PATH=/nodejs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# A number, so that Kubernetes can tell that it is not root. Porch runs functions as the image's user.
USER 65532
WORKDIR /
# In exec form and whole: Porch takes the entry point without CMD, and there is no shell.
ENTRYPOINT ["node", "/function.mjs"]
