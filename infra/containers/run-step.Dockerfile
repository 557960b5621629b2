FROM public.ecr.aws/docker/library/node:24-slim
WORKDIR /app
COPY . ./
# The root of the file system is read only; what is mounted here belongs to everybody, as in the image.
VOLUME ["/tmp"]
USER node
CMD ["node", "--enable-source-maps", "run-step-task.mjs"]
