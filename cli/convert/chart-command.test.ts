import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

test('the command in the record of a converted chart makes the same objects again', async () => {
  const root = testFolder()
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  write('helm', HELM, 0o755)
  write('charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
  write('charts/web/prod.yaml', 'color: blue\n')
  write('set.yaml', SET)
  const helm = ['--allow-exec', '--helm-binary', join(root, 'helm')]
  const converted = await recordRun(root, ['convert', 'applicationset', 'set.yaml', '--out', 'fleet', ...helm])
  expect(converted).toMatchObject({ exitCode: 0 })
  const { annotations } = parse(readFileSync(join(root, 'fleet/catalog/web@v1/Kptfile'), 'utf8')).metadata
  const { command } = JSON.parse(annotations['fn.krm-variants.dev/imported-from'])
  expect(command).toBe(
    'import --helm charts/web --values charts/web/prod.yaml values-of-web-prod.yaml --namespace shop --kube-version 1.37.0 --hooks keep --as catalog/web-prod',
  )
  write('values-of-web-prod.yaml', 'size: big\n')
  expect(await recordRun(root, [...command.split(' '), ...helm])).toMatchObject({ exitCode: 0 })
  for (const file of ['configmap-web.yaml', 'job-setup.yaml'])
    expect(readFileSync(join(root, `catalog/web-prod@v1/${file}`), 'utf8')).toBe(
      readFileSync(join(root, `fleet/catalog/web@v1/${file}`), 'utf8'),
    )
  const again = await recordRun(root, ['convert', 'applicationset', 'set.yaml', '--out', 'fleet', ...helm])
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing to do') })
})
