import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
  for (const name of ['dev', 'prod']) {
    const labels = `{argocd.argoproj.io/secret-type: cluster, env: ${name}}`
    write(
      `clusters/${name}.yaml`,
      `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, labels: ${labels}}\nstringData: {name: ${name}, server: "https://${name}.example.com"}\n`,
    )
  }
  for (const app of ['web', 'dns']) write(`apps/${app}/map.yaml`, map(app, '1'))
  write('set.yaml', SET)
})

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

function map(name: string, size: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  size: "${size}" # in pieces\n`
}

const SET = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
  - matrix:
      generators:
      - clusters: {selector: {matchExpressions: [{key: env, operator: Exists}]}}
      - git:
          repoURL: https://git.example.com/gitops.git
          revision: HEAD
          directories: [{path: apps/*}]
  template:
    metadata:
      name: '{{.path.basename}}-{{.name}}'
      labels: {app: '{{.path.basename}}'}
      finalizers: [resources-finalizer.argocd.argoproj.io]
    spec:
      project: '{{.metadata.labels.env}}-team'
      source: {repoURL: https://git.example.com/gitops.git, targetRevision: HEAD, path: '{{.path.path}}'}
      destination: {server: '{{.server}}', namespace: '{{.path.basename}}'}
      syncPolicy: {automated: {selfHeal: true}, syncOptions: [CreateNamespace=true], retry: {limit: 3, backoff: {duration: 10s}}}
      ignoreDifferences: [{group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}]
`

const convert = (...more: readonly string[]) => recordRun(root, ['convert', 'applicationset', 'set.yaml', '--out', 'fleet', ...more])

/** Returns the Applications of the fleet, in the fields that a person compares. */
function applications(): readonly unknown[] {
  const folder = join(root, 'fleet/fleet/argocd')
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const { metadata, spec } = parse(readFileSync(join(folder, file), 'utf8'))
      return [
        metadata.name,
        metadata.labels.app,
        metadata.finalizers,
        spec.project,
        spec.destination,
        spec.source.path,
        spec.syncPolicy,
        spec.ignoreDifferences,
      ]
    })
}

/** Writes what the set means for two clusters and two folders, without any template. */
const MEANT = ['dns', 'web'].flatMap((app) =>
  ['dev', 'prod'].map((cluster) => [
    `${app}-${cluster}`,
    app,
    ['resources-finalizer.argocd.argoproj.io'],
    `${cluster}-team`,
    { server: `https://${cluster}.example.com`, namespace: app },
    `apps/${app}`,
    { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'], retry: { limit: 3, backoff: { duration: '10s' } } },
    [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
  ]),
)

test('clusters and folders become Repositories and packages, with the Applications of the set', async () => {
  const { exitCode, stdout } = await convert()
  expect(stdout).toContain('Application web-prod: project prod-team, to https://prod.example.com web, path apps/web, automated selfHeal')
  expect([exitCode, applications()]).toEqual([0, MEANT])
  expect(readFileSync(join(root, 'fleet/clusters/prod/apps/web/configmap-web.yaml'), 'utf8')).toContain('# in pieces')
  expect(readFileSync(join(root, 'fleet/fleet/sync.yaml'), 'utf8')).toContain("projectExpr: repository.name + '-team'")
})

test('in a worktree of git the remote is that of its repository', async () => {
  const other = join(testFolder(), 'main')
  execFileSync('git', ['init', '--quiet', other])
  const inOther = (...args: readonly string[]) =>
    execFileSync('git', ['-C', other, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'pipe' })
  inOther('remote', 'add', 'origin', 'https://git.example.com/another.git')
  inOther('commit', '--quiet', '--allow-empty', '--message', 'first')
  inOther('worktree', 'add', '--quiet', join(root, 'tree'))
  renameSync(join(root, 'tree/.git'), join(root, '.git'))
  expect((await convert()).stderr).toContain("must be the repository of '.', https://git.example.com/another.git")
})

test('a second conversion and a later sync change nothing, and check finds nothing', async () => {
  await convert()
  expect(await convert()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing to do') })
  expect((await recordRun(root, ['sync', 'fleet', '--dry-run'])).exitCode).toBe(0)
  expect(await recordRun(root, ['check', 'fleet'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0 errors') })
})

test('a change of a folder arrives in every cluster', async () => {
  await convert()
  write('apps/web/map.yaml', map('web', '2'))
  expect((await convert()).exitCode).toBe(0)
  for (const cluster of ['dev', 'prod'])
    expect(readFileSync(join(root, `fleet/clusters/${cluster}/apps/web/configmap-web.yaml`), 'utf8')).toContain('size: "2" # in pieces')
  expect(applications()).toEqual(MEANT)
})

test('a cluster that is new or gone, and a set that changed, end with an error and change nothing', async () => {
  await convert()
  rmSync(join(root, 'clusters/dev.yaml'))
  expect((await convert()).stderr).toContain("application 'dns-dev', 'web-dev' is gone since the conversion")
  write('clusters/dev.yaml', readFileSync(join(root, 'clusters/prod.yaml'), 'utf8').replaceAll('prod', 'dev'))
  write('set.yaml', SET.replace('-team', '-crew'))
  const changed = await convert()
  expect([changed.exitCode, changed.stdout]).toEqual([1, expect.stringContaining('not equal: spec.project')])
  expect(applications()).toEqual(MEANT)
})

test('a folder with capitals, and a word that YAML 1.1 reads as a boolean, are refused where they stand', async () => {
  write('apps/Web/map.yaml', map('big', '1'))
  write('set.yaml', SET.replace("name: '{{.path.basename}}-", "name: '{{.path.basenameNormalized}}-other-").replace('apps/*', 'apps/W*'))
  const capitals = await convert()
  expect(capitals.stderr).toContain("`spec.template.spec.source.path` must have only a-z, 0-9, '-', '.' and '/'")
  write('members/a.yaml', 'path: {path: apps/web, basename: web}\nisLarge: yes\n')
  write('set.yaml', SET.replace('directories: [{path: apps/*}]', 'files: [{path: members/*.yaml}]'))
  const word = await convert()
  write('members/a.yaml', 'path: {path: apps/web, basename: web}\nnote: "a, no, b" # yes\nzone: eu-west-01\nrule: always-on\n')
  expect((await convert()).stderr).not.toContain('YAML 1.1')
  for (const made of ['fleet', 'catalog']) rmSync(join(root, made), { recursive: true, force: true })
  expect(word.stderr).toContain("'members/a.yaml' has a plain 'yes' in line 2, column 10, which Argo CD reads as YAML 1.1 does: quote it")
  expect([capitals.exitCode, word.exitCode, readdirSync(root).includes('fleet')]).toEqual([1, 1, false])
})

test('patches that name the label of clusters, and files beside the sets that hold none, are left alone', async () => {
  const { stdout } = await convert()
  rmSync(join(root, 'fleet'), { recursive: true })
  write(
    'argo/label.yaml',
    '---\n- op: add\n  path: /metadata/labels/argocd.argoproj.io~1secret-type\n  value: argocd.argoproj.io/secret-type\n',
  )
  write('argo/values.yaml', 'selector:\n  argocd.argoproj.io/secret-type: cluster\n')
  write('chart/templates/s.yaml', `kind: Secret\nmetadata: {labels: {argocd.argoproj.io/secret-type: cluster}, name: '{{ .Values.a }}'}\n`)
  write('kustomization.yaml', 'resources: [set.yaml]\n')
  expect(await convert('kustomization.yaml', 'argo/label.yaml')).toMatchObject({ exitCode: 0, stdout })
})

test('a Secret of a cluster that cannot be read, and sets without a cluster, are errors that say what is there', async () => {
  write('set.yaml', SET.replace('key: env, operator: Exists', 'key: environment, operator: Exists'))
  expect((await convert()).stderr).toMatch(/set.yaml:7:3: error: .* these give none; the clusters of '.' are dev, prod /)
  write('clusters/dev.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {labels: {argocd.argoproj.io/secret-type: cluster}\n')
  expect(await convert()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('clusters/dev.yaml:') })
})

test('a folder without Secrets of clusters is named, and only for a set that asks for clusters', async () => {
  const NO_SECRET = "'.' has no Secret of a cluster, so the only cluster is in-cluster"
  expect((await convert()).stderr).not.toContain(NO_SECRET)
  const convertAlone = async (set: string) => {
    for (const made of ['fleet', 'clusters']) rmSync(join(root, made), { recursive: true, force: true })
    write('set.yaml', set)
    const { stderr, exitCode } = await convert()
    return [exitCode, stderr.includes(NO_SECRET)]
  }
  const all = SET.replace('{selector: {matchExpressions: [{key: env, operator: Exists}]}}', '{}').replace('{{.metadata.labels.env}}-', '')
  expect(await convertAlone(all)).toEqual([0, true])
  const listed = 'list: {elements: [{name: in-cluster, server: "https://kubernetes.default.svc"}]}'
  expect(await convertAlone(all.replace('clusters: {}', listed))).toEqual([0, false])
})

test('an Application without a destination is refused at the template', async () => {
  write('set.yaml', SET.replace("server: '{{.server}}', namespace", 'namespace'))
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining(
      'error: `spec.template.spec.destination` must give the `server` or the `name` of a cluster, got neither',
    ),
  })
})

test('exclude of a source leaves out the files of each word in braces', async () => {
  for (const ending of ['yaml', 'yml', 'json'])
    write(`apps/web/other.${ending}`, '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}}\n')
  write('set.yaml', SET.replace("path: '{{.path.path}}'}", "path: '{{.path.path}}', directory: {exclude: 'other.{yaml,yml,json}'}}"))
  expect((await convert()).exitCode).toBe(0)
  expect(readdirSync(join(root, 'fleet/catalog/web@v1')).toSorted()).toEqual(['Kptfile', 'configmap-web.yaml'])
})

test('a pipe in the place of the kustomization of a source is named, and not waited for', async () => {
  execFileSync('mkfifo', [join(root, 'apps/web/kustomization.yaml')])
  expect(await convert('--allow-exec')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("'apps/web/kustomization.yaml' must be a file, is a pipe, a socket or a device"),
  })
})

test('kustomize and helm are those that the options name, from the folder of the user, for overlays and their base', async () => {
  const script = '#!/bin/sh\ncase "$2" in /*) echo "$*" >> "$(dirname "$0")/calls" ;; esac\ncat "$2/built"\n'
  writeFileSync(join(root, 'build'), script, { mode: 0o755 })
  for (const [folder, text] of [
    ['base', 'resources: [map.yaml]\n'],
    ['apps/web', 'resources: [../../base]\n'],
    ['apps/dns', 'resources: [../../base]\n'],
  ] as const) {
    write(`repo/${folder}/kustomization.yaml`, text)
    write(`repo/${folder}/map.yaml`, '')
    write(`repo/${folder}/built`, map('web', folder))
  }
  renameSync(join(root, 'clusters'), join(root, 'repo/clusters'))
  const programs = ['--kustomize-binary', './build', '--helm-binary', './bin/helm', '--enable-helm', '--allow-exec']
  expect(await convert('--repo', 'repo', ...programs)).toMatchObject({ exitCode: 0 })
  const calls = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')
  const [helm, folders] = [` --enable-helm --helm-command ${root}/bin/helm`, ['apps/dns', 'apps/web', 'base']]
  expect([...new Set(calls)].toSorted()).toEqual(folders.map((folder) => `build ${root}/repo/${folder}${helm}`))
})
