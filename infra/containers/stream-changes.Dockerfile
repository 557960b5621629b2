FROM public.ecr.aws/docker/library/node:24-slim
WORKDIR /app
COPY *.mjs ./
USER node
CMD ["node", "--enable-source-maps", "main.mjs"]
