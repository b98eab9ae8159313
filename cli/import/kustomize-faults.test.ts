import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { explainKustomizeFault } from './kustomize-faults.ts'

const LINES = {
  field: '  commonLabel: {app: web}',
  charts: 'helmCharts: []',
  folder: '  - ../other',
  file: '  - values.yaml',
  patch: 'patches: [{path: p.yaml}]',
  pairs: 'labels: [{pairs: {y: a}}]',
  version: '  - {name: web, newTag: 1.0}',
}

/** Returns a folder with a kustomization that has a comment and then each of the lines. */
function kustomization(file = 'kustomization.yaml'): string {
  const folder = testFolder()
  writeFileSync(join(folder, file), `# ours\n${Object.values(LINES).join('\n')}\n`)
  return folder
}

test.each([
  ['an unknown field', 'json: unknown field "commonLabel"', '2:3', 'correct the name of the field'],
  ['a chart', 'must specify --enable-helm', '3:1', 'run with --enable-helm'],
  ['a plugin', "external plugins disabled; unable to load external plugin '../other'", '4:5', 'no plugin is run'],
  ['a plugin without a name', 'external plugins disabled', '1:1', 'no plugin is run'],
  ['a circle', "cycle detected: candidate root '/a' contains visited root '/b/other'", '4:8', 'take one of the two references away'],
  ['an object of two resources', "merging resources from '../other': may not add; already registered id: X", '4:8', 'make a patch of one'],
  ['an object of a base and a resource', "recursed merging from path '/b/other': already registered id: X", '4:8', 'make a patch of one'],
  ['two files', 'Found multiple kustomization files under: /b', '1:1', 'remove the others'],
  ['a component as a resource', "expected kind != 'Component' for path '/b/other'", '4:8', 'name it in components'],
  ['a resource as a component', "expected kind 'Component' for path '/b/other'", '4:8', 'name it in resources'],
  ['a file outside', "security; file '/b/values.yaml' is not in or below '/b/c'", '5:5', 'only files below the folder'],
  ['no file', 'lstat /b/values.yaml: no such file or directory', '5:5', 'write the file, or take its name out'],
  ['no file of its own folder', 'open values.yaml: no such file or directory', '5:5', 'write the file, or take its name out'],
  ['a file that is no YAML', "accumulating resources from 'values.yaml': MalformedYAMLError: x", '5:5', 'correct the YAML'],
  ['an object without a kind', "accumulating resources from 'values.yaml': missing kind", '5:5', 'must have apiVersion, kind'],
  ['an object without a name', "accumulating resources from 'values.yaml': missing metadata.name", '5:5', 'must have apiVersion, kind'],
  ['a number', 'cannot unmarshal number into Go struct field Image.newTag of type string', '8:17', 'put the value in quotes'],
  ['a boolean', 'cannot unmarshal bool into Go struct field Image.newTag of type string', '8:17', 'put the value in quotes'],
  ['a key', 'unsupported type: map[interface {}]interface {}', '7:11', 'put the key in quotes'],
  ['a patch of nothing', 'no matches for Id Deployment.v1.apps/web; failed to find', '6:1', 'names an object that the bases do not have'],
  ['a patch without a target', 'failed to find unique target for patch X', '6:1', 'names an object that the bases do not have'],
])('the fault of %s has its place in the kustomization and the next step', (_, reason, place, next) => {
  const text = explainKustomizeFault('tree/prod', kustomization(), reason)
  expect(text).toMatch(`tree/prod/kustomization.yaml:${place}: kustomize cannot build 'tree/prod': ${reason}; `)
  expect(text.slice(text.indexOf(reason) + reason.length)).toContain(next)
})

test('words that are not known, and a text that the kustomization lacks, are at its beginning', () => {
  const folder = kustomization('Kustomization')
  expect(explainKustomizeFault('a', folder, 'it broke')).toBe("a/Kustomization:1:1: kustomize cannot build 'a': it broke")
  expect(explainKustomizeFault('a', folder, 'unknown field "other-field"')).toMatch(
    /^a\/Kustomization:1:1: .*; correct the name of the field/,
  )
})

test('a folder without a kustomization has no place', () => {
  expect(explainKustomizeFault('a', testFolder(), 'it broke')).toBe("kustomize cannot build 'a': it broke")
})
