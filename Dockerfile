# pointsman as one static binary in an otherwise empty image. It builds with
# BuildKit and with the plain builder, so it uses the features of neither.
#
#   docker build -t pointsman .
#   docker run -v ./pointsman.yaml:/etc/pointsman/pointsman.yaml -p 9002:9002 pointsman

FROM golang:1.26-bookworm AS build

# Where modules come from, for networks that have a proxy of their own.
ARG GOPROXY
ARG GOSUMDB
ENV CGO_ENABLED=0 GOTOOLCHAIN=local
WORKDIR /src

# Modules, and the heavy ones compiled: layers that stay as they are until
# go.mod changes, whatever happens to pointsman's own code.
COPY go.mod go.sum ./
RUN go mod download
RUN go build -trimpath google.golang.org/grpc/health github.com/spf13/cobra go.uber.org/zap buf.build/go/protovalidate \
    github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3 \
    github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3 \
    github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3

COPY . .
RUN go build -trimpath -ldflags=-s -o /pointsman ./cmd/pointsman

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /pointsman /usr/local/bin/pointsman
USER 65532:65532
EXPOSE 9002 9003
ENTRYPOINT ["/usr/local/bin/pointsman"]
CMD ["serve", "--config", "/etc/pointsman/pointsman.yaml"]
