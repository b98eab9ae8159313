import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

/** Prints a ConfigMap with the release, the namespace and the values, and a hook. */
const HELM = `#!/bin/sh
echo "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: $5}\ndata:\n  release: $2"
while [ $# -gt 0 ]; do
  if [ "$1" = --values ]; then sed 's/^/  /' "$2"; fi
  if [ "$1" = --kube-version ]; then echo "  kubernetes: $2"; fi
  shift
done
echo "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: setup, annotations: {helm.sh/hook: pre-install}}"
`

const KUSTOMIZE = `#!/bin/sh
cat "$2/built"
`

const SET = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  generators:
  - list: {elements: [{cluster: prod}]}
  template:
    metadata: {name: 'web-{{cluster}}'}
    spec:
      project: default
      source:
        repoURL: https://git.example.com/gitops.git
        targetRevision: HEAD
        path: charts/web
        helm: {valueFiles: [prod.yaml], values: "size: big\\n", kubeVersion: 1.37.0}
      destination: {server: 'https://{{cluster}}.example.com', namespace: shop}
`

const MANIFESTS = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shops, namespace: argocd}
spec:
  generators:
  - list: {elements: [{cluster: dev}, {cluster: prod}]}
  template:
    metadata: {name: 'shop-{{cluster}}'}
    spec:
      project: default
      source: {repoURL: https://git.example.com/gitops.git, targetRevision: HEAD, path: apps/shop}
      destination: {server: 'https://{{cluster}}.example.com', namespace: shop}
`

const config = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`

/** Returns a folder with files; a text that begins with `#!` is a program. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = testFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  return root
}

/** Returns the command that the first revision of a package records. */
function recordedCommand(root: string, pkg: string): string {
  const { annotations } = parse(readFileSync(join(root, `${pkg}@v1/Kptfile`), 'utf8')).metadata
  return JSON.parse(annotations['fn.krm-variants.dev/imported-from']).command
}

/** Runs a command as typed in a shell, with the paths of programs, which no command records. */
function type(root: string, command: string, programs: readonly string[]) {
  const [tool, ...words] = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8', cwd: root })
    .split('\0')
    .slice(0, -1)
  expect(tool).toBe('krm-variants')
  return recordRun(root, [...words, ...programs])
}

/** Returns the text of each file below a folder. */
function textsIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]))
}

const CONVERTED = {
  'a chart with values in the Application': {
    command: "krm-variants convert applicationset 'my set.yaml' --out 'my fleet' --allow-exec",
    files: {
      helm: HELM,
      'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'charts/web/prod.yaml': 'color: blue\n',
      'my set.yaml': SET,
    },
    packages: ['web'],
  },
  'a folder of manifests': {
    command: "krm-variants convert applicationset 'my set.yaml' --repo . --out 'my fleet'",
    files: { 'my set.yaml': MANIFESTS, 'apps/shop/a.yaml': config('a'), 'apps/shop/b.yaml': config('b') },
    packages: ['shop'],
  },
  'a tree with objects that overlays share': {
    command: "krm-variants convert kustomize 'my tree' --out 'my fleet' --allow-exec",
    files: {
      kustomize: KUSTOMIZE,
      'my tree/app/kustomization.yaml': 'resources: []\n',
      'my tree/app/built': config('base'),
      ...Object.fromEntries(
        ['dev', 'prod'].flatMap((name) => [
          [`my tree/${name}/kustomization.yaml`, 'resources: [../app]\n'],
          [`my tree/${name}/built`, `${config('base')}---\n${config('added')}`],
        ]),
      ),
    },
    packages: ['app', 'shared'],
  },
}

test.each(Object.entries(CONVERTED))(
  'the command that a package of %s records, typed, converts again',
  async (_, { command, files, packages }) => {
    const root = folderWith(files)
    const programs = [
      ...('helm' in files ? ['--helm-binary', join(root, 'helm')] : []),
      ...('kustomize' in files ? ['--kustomize-binary', join(root, 'kustomize')] : []),
    ]
    expect(await type(root, command, programs)).toMatchObject({ exitCode: 0 })
    for (const name of packages) expect(recordedCommand(root, `my fleet/catalog/${name}`)).toBe(command)
    const first = textsIn(join(root, 'my fleet'))
    expect(await type(root, command, programs)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing to do') })
    rmSync(join(root, 'my fleet'), { recursive: true })
    expect(await type(root, command, programs)).toMatchObject({ exitCode: 0 })
    expect(textsIn(join(root, 'my fleet'))).toEqual(first)
  },
)

test('the command that an imported package records, typed, makes the package again', async () => {
  const root = folderWith({
    helm: HELM,
    'my chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    "it's.yaml": 'color: blue\n',
  })
  const programs = ['--helm-binary', join(root, 'helm')]
  const command =
    "krm-variants import --helm 'my chart' --values 'it'\\''s.yaml' --kube-version 1.37.0 --hooks keep --allow-exec --as catalog/web"
  expect(await type(root, command, programs)).toMatchObject({ exitCode: 0 })
  expect(recordedCommand(root, 'catalog/web')).toBe(command)
  expect(await type(root, command, programs)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing to do') })
  const first = textsIn(join(root, 'catalog'))
  rmSync(join(root, 'catalog'), { recursive: true })
  expect(await type(root, command, programs)).toMatchObject({ exitCode: 0 })
  expect(textsIn(join(root, 'catalog'))).toEqual(first)
})
