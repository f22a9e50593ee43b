# docker build --tag ibench .           about 1 GB; with web pages --build-arg CHROMIUM="chromium fonts-liberation", 0.4 GB more
# docker run --rm ibench                the tour of all families
# docker run --rm --volume "$PWD/runs:/home/player/runs" ibench run --suite core --size small --agent rule
FROM python:3.11-slim-bookworm

# Without Chromium, web pages are left out by name. `docker run --rm ibench doctor` says which layers of the sandbox work there.
ARG CHROMIUM=""
RUN if [ -n "$CHROMIUM" ]; then \
      apt-get update -qq && apt-get install --yes --no-install-recommends $CHROMIUM && rm -rf /var/lib/apt/lists/*; fi

WORKDIR /opt/ibench
COPY requirements-demo.lock ./
RUN pip install --no-cache-dir --no-compile --no-deps --require-hashes --only-binary :all: --requirement requirements-demo.lock
COPY . .
RUN pip install --no-cache-dir --no-compile --no-deps --no-build-isolation . && ibench models get

RUN useradd --create-home player && install --directory --owner player /home/player/runs
USER player
WORKDIR /home/player
ENTRYPOINT ["ibench"]
CMD ["demo", "--out", "runs/demo"]
