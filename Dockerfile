FROM node:24-bookworm AS build
ARG LOCAL_MODELS=true
ARG LLAMA_CPP=false
WORKDIR /src
COPY . .
# CI runs this command too (scripts/packaged/check.ts), and starts what it makes.
RUN node scripts/package.mjs /out --local-models=$LOCAL_MODELS --llama-cpp=$LLAMA_CPP && strip /out/bin/node
RUN mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Fairlead" \
      org.opencontainers.image.description="One service in front of AI models" \
      org.opencontainers.image.source="https://github.com/fairlead/fairlead" \
      org.opencontainers.image.documentation="https://github.com/fairlead/fairlead/blob/main/docs/operating/containers.md" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /out /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
# The compile cache would need a writable folder, and does not make this start faster.
ENV NODE_ENV=production \
    NODE_DISABLE_COMPILE_CACHE=1 \
    HOST=0.0.0.0 \
    FAIRLEAD_DATA_DIR=/data
VOLUME ["/data"]
EXPOSE 8080
USER 65532:65532
# Healthy means ready, so that `docker compose up --wait` and `depends_on` wait until the service answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["/app/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node runs as process 1, and handles SIGTERM itself.
ENTRYPOINT ["/app/bin/node", "/app/dist/fairlead.js"]
CMD ["start"]
