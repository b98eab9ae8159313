import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentText, readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { TestFolder } from '../../testdata/cli/test-folder.ts'
import { dropUpstreamMarks } from './upstream-mark.ts'

const MARK = 'internal.kpt.dev/upstream-identifier'
const map = (name: string, annotations: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${annotations}data:\n  size: "1"\n`

test('built objects lose the annotation alone, and each that had it is named', () => {
  const texts = [map('a', `  annotations:\n    ${MARK}: x\n`), map('b', `  annotations:\n    team: shops\n    ${MARK}: x\n`), map('c', '')]
  const { objects } = readVendorObjects([{ name: 'built', bytes: Buffer.from(texts.join('---\n')) }])
  expect(dropUpstreamMarks(objects)).toEqual([`the annotation ${MARK}, with which kpt marks clones, is left out: ConfigMap a, ConfigMap b`])
  expect(objects.map(documentText)).toEqual([map('a', ''), map('b', '  annotations:\n    team: shops\n'), map('c', '')])
  expect(dropUpstreamMarks(objects)).toEqual([])
})

test('an overlay whose only change is the annotation changes nothing, and a second conversion neither', async () => {
  const folder = new TestFolder()
  writeFileSync(join(folder.folder, 'kustomize'), '#!/bin/sh\nexec cat "$2/built"\n', { mode: 0o755 })
  folder.write('tree/base/kustomization.yaml', 'resources: []\n')
  folder.write('tree/base/built', map('a', `  annotations:\n    ${MARK}: base\n`))
  folder.write('tree/prod/kustomization.yaml', 'resources: [../base]\n')
  folder.write('tree/prod/built', map('a', `  annotations:\n    ${MARK}: prod\n`))
  const convert = () =>
    folder.run('convert', 'kustomize', 'tree', '--out', 'fleet', '--allow-exec', '--kustomize-binary', join(folder.folder, 'kustomize'))
  const stdout = 'prod → clusters/prod: equal, 1 object\n'
  const left = `the annotation ${MARK}, with which kpt marks clones, is left out: ConfigMap a\n`
  expect(await convert()).toMatchObject({ exitCode: 0, stdout, stderr: expect.stringContaining(left) })
  expect(folder.read('fleet/catalog/tree@v1/configmap-a.yaml')).toBe(map('a', ''))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout, stderr: `${left}nothing to do: the fleet is as the tree\n` })
})
