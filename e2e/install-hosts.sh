#!/usr/bin/env bash
# Installs what the tests in e2e/hosts run functions in, where it is missing: podman with runc, Graphviz,
# Chromium, zsh, fish and etcd (Debian, as root), kustomize, helm and actionlint (with Go).
# stdout: the folder with the programs of their own, for PATH. stderr: what cannot be had; the tests that need it are left out and say so.
#   export PATH="$(e2e/install-hosts.sh):$PATH"
set -uo pipefail

KUSTOMIZE=v5.8.1
HELM=v3.18.6
ACTIONLINT=v1.7.12
PRE_COMMIT=4.7.0
programs=${TMPDIR:-/tmp}/krm-variants-programs

tell() { printf 'hosts: %s\n' "$*" >&2; }

install_podman() {
  command -v podman >/dev/null && command -v runc >/dev/null && return
  command -v apt-get >/dev/null || { tell "no podman with runc, and no apt-get to install them"; return; }
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes podman runc; } >&2 ||
    tell "apt-get could not install podman and runc"
}

# In a container of its own, podman must set limits that it may set, and manage cgroups by itself. A configuration that is there stays.
configure_podman() {
  local config=/etc/containers/containers.conf
  if [ -e "$config" ] || ! command -v podman >/dev/null; then return; fi
  printf '%s\n' '[containers]' 'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]' 'cgroups = "enabled"' '' \
    '[engine]' 'runtime = "runc"' 'cgroup_manager = "cgroupfs"' >"$config" || tell "$config cannot be written"
}

# What draws graphs and opens pages.
install_viewers() {
  command -v dot >/dev/null && command -v chromium >/dev/null && return
  command -v apt-get >/dev/null || { tell "no graphviz and chromium, and no apt-get to install them"; return; }
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends graphviz chromium fonts-dejavu-core; } >&2 ||
    tell "apt-get could not install graphviz and chromium"
}

# What completes the command line.
install_shells() {
  command -v zsh >/dev/null && command -v fish >/dev/null && return
  command -v apt-get >/dev/null || { tell "no zsh and fish, and no apt-get to install them"; return; }
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends zsh fish; } >&2 ||
    tell "apt-get could not install zsh and fish"
}

# What the API server of `npm run api` stores objects in. The package also starts a server of its own, unless a policy forbids it.
install_etcd() {
  command -v etcd >/dev/null && return
  command -v apt-get >/dev/null || { tell "no etcd, and no apt-get to install it"; return; }
  { apt-get update && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends etcd-server; } >&2 ||
    tell "apt-get could not install etcd-server"
}

install_kustomize() {
  command -v kustomize >/dev/null && return
  [ -x "$programs/kustomize" ] && return
  command -v go >/dev/null || { tell "no kustomize, and no Go to build it"; return; }
  GOBIN=$programs go install "sigs.k8s.io/kustomize/kustomize/v5@$KUSTOMIZE" >&2 || tell "go could not install kustomize $KUSTOMIZE"
}

install_helm() {
  command -v helm >/dev/null && return
  [ -x "$programs/helm" ] && return
  command -v go >/dev/null || { tell "no helm, and no Go to build it"; return; }
  GOBIN=$programs go install "helm.sh/helm/v3/cmd/helm@$HELM" >&2 || tell "go could not install helm $HELM"
}

install_actionlint() {
  command -v actionlint >/dev/null && return
  [ -x "$programs/actionlint" ] && return
  command -v go >/dev/null || { tell "no actionlint, and no Go to build it"; return; }
  GOBIN=$programs go install "github.com/rhysd/actionlint/cmd/actionlint@$ACTIONLINT" >&2 || tell "go could not install actionlint $ACTIONLINT"
}

install_pre_commit() {
  command -v pre-commit >/dev/null && return
  [ -x "$programs/pre-commit" ] && return
  command -v python3 >/dev/null || { tell "no pre-commit, and no Python to install it"; return; }
  { python3 -m venv "$programs/python" && "$programs/python/bin/pip" install --quiet "pre-commit==$PRE_COMMIT" &&
    ln -s "$programs/python/bin/pre-commit" "$programs/pre-commit"; } >&2 || tell "pip could not install pre-commit $PRE_COMMIT"
}

mkdir -p "$programs"
install_podman
configure_podman
install_viewers
install_shells
install_etcd
install_kustomize
install_helm
install_actionlint
install_pre_commit
printf '%s\n' "$programs"
