# One recipe for every image; `npm run images` builds them all, one by hand after `npm run images -- --programs`:
#   docker build --build-arg PROGRAM=fan-out -t ghcr.io/krm-variants/fan-out:v0.1.0 .
# PROGRAM is a function, or krm-variants: the tool, which runs every function as `fn NAME`.
# BASE may be any image with Node 24 and a user nobody: kpt runs functions as nobody.
ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot

# A start-up snapshot: the program loaded and used. It fits this Node only, on this architecture, so it is made by the one that runs it.
FROM ${BASE} AS snapshot
ARG PROGRAM
COPY dist/images/${PROGRAM}.cjs /program.cjs
# Distroless images keep Node in a folder of its own.
ENV PATH=/nodejs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
USER 0
RUN ["node", "--no-warnings", "--snapshot-blob", "/program.blob", "--build-snapshot", "/program.cjs"]

FROM ${BASE}
COPY --from=snapshot --chmod=0444 /program.blob /program.blob
ENV PATH=/nodejs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# A number, so that Kubernetes can tell that it is not root. Porch runs functions as the image's user.
USER 65532
WORKDIR /
# In exec form and whole: Porch takes the entry point without CMD, and there is no shell. What follows the name is for the program, not for Node.
ENTRYPOINT ["node", "--snapshot-blob", "/program.blob", "program"]
