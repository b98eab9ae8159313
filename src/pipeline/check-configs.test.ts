import { expect, test } from 'vitest'
import { checkedPipelines as findings, kptfileWithMutators as kptfile } from './testing/checked-pipelines.ts'

const configMap = (name: string, data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`

test('a key that a function does not know is an error at the key if the function refuses it, else a warning', () => {
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/strict:v1.0", configMap: {size: "1", nmae: x, other: z}}') })).toEqual([
    "a/Kptfile:7:58: error: `pipeline.mutators[0].configMap.nmae` is not an option of strict, which refuses it; its options are 'size', 'name'; did you mean 'name'? [unknown-field]",
    "a/Kptfile:7:67: error: `pipeline.mutators[0].configMap.other` is not an option of strict, which refuses it; its options are 'size', 'name' [unknown-field]",
  ])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.1", configMap: {x: "1"}}') })[0]).toBe(
    'a/Kptfile:7:48: warning: `pipeline.mutators[0].configMap.x` is not an option of lenient, which ignores it; it has no options [unknown-field]',
  )
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/any:v1.1", configMap: {x: "1"}}') })).toEqual([])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/set-labels:v1.1", configMap: {x: "1"}}') })).toEqual([])
})

test('the config in a file is judged at the file, however the function names it', () => {
  const config = configMap('c', '{nope: x}')
  for (const reference of ['configPath: c.yaml', 'configPath: ./c.yaml', 'configRef: {kind: ConfigMap, name: c}'])
    expect(findings({ 'a/Kptfile': kptfile(`{image: "fns.io/strict:v1.0", ${reference}}`), 'a/c.yaml': config })).toEqual([
      "a/c.yaml:4:8: error: `data.nope` is not an option of strict, which refuses it; its options are 'size', 'name' [unknown-field]",
    ])
})

test.each([
  ['a file that is missing', 'configPath: c.yaml', {}],
  ['a file of a subpackage', 'configPath: sub/c.yaml', { 'a/sub/Kptfile': kptfile(), 'a/sub/c.yaml': configMap('c', '{nope: x}') }],
  [
    'two resources of one name',
    'configRef: {kind: ConfigMap, name: c}',
    { 'a/c.yaml': configMap('c', '{n: x}'), 'a/d.yaml': configMap('c', '{n: x}') },
  ],
  ['a resource of another name', 'configRef: {kind: ConfigMap, name: d}', { 'a/c.yaml': configMap('c', '{nope: x}') }],
  ['a resource of another kind', 'configRef: {kind: Secret, name: c}', { 'a/c.yaml': configMap('c', '{nope: x}') }],
  ['no ConfigMap', 'configPath: c.yaml', { 'a/c.yaml': configMap('c', '{nope: x}').replace('ConfigMap', 'Other') }],
  ['data that is no map', 'configPath: c.yaml', { 'a/c.yaml': configMap('c', '[x]') }],
  ['the context of the package', 'configPath: c.yaml', { 'a/c.yaml': configMap('kptfile.kpt.dev', '{nope: x}') }],
])('the keys of a config in %s are not judged', (_what, reference, files) => {
  const all = findings({ 'a/Kptfile': kptfile(`{image: "fns.io/strict:v1.0", ${reference}}`), ...files })
  expect(all.filter((line) => line.endsWith('[unknown-field]'))).toEqual([])
})

test('what a function says of its config names the function, at the function', () => {
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1"}') })).toEqual([
    "a/Kptfile:7:5: error: `pipeline.mutators[0]` 'broken': needs a config in v1.1 [required]",
  ])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1", configMap: {a: "1"}}') })).toEqual([])
  expect(findings({ 'a/Kptfile': kptfile('{image: "fns.io/broken:v1", configPath: gone.yaml}') }).join()).not.toContain('needs a config')
})

test('a function with a condition, or whose config an earlier function may write, has no errors but warnings', () => {
  const strict = '{image: "fns.io/strict:v1.0", configPath: c.yaml}'
  const errors = (...mutators: readonly string[]) =>
    findings({ 'a/Kptfile': kptfile(...mutators), 'a/c.yaml': configMap('c', '{nope: x}') }).filter((line) =>
      line.includes(': error: `data.nope`'),
    )
  expect(errors(strict)).toHaveLength(1)
  expect(errors('{image: "fns.io/set-labels:v1.0"}', strict)).toHaveLength(1)
  expect(errors('{image: "fns.io/any:v1.0"}', strict)).toEqual([])
  expect(errors('{image: "other.io/x:v1.0"}', strict)).toEqual([])
  expect(errors(strict, '{image: "other.io/x:v1.0"}')).toHaveLength(1)
  expect(errors(strict.replace('}', ', when: "true"}'))).toEqual([])
  const inline = '{image: "fns.io/strict:v1.0", configMap: {nope: x}}'
  const files = { 'a/Kptfile': kptfile('{image: "fns.io/any:v1.0"}', inline) }
  expect(findings(files)).toEqual([expect.stringContaining('configMap.nope')])
  const lenient = findings({ 'a/Kptfile': kptfile('{image: "fns.io/lenient:v1.1", configMap: {x: "1"}, when: "true"}') })
  expect(lenient[0]).toContain('warning: `pipeline.mutators[0].configMap.x`')
})

test('a function of a template that expressions complete has no errors', () => {
  const fn = (more: string) => `{image: "fns.io/strict:v1.0", configMap: {nope: x}${more}}`
  const set = (more: string) =>
    `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  targets:\n  - template: {pipeline: {mutators: [${fn(more)}]}}\n`
  const matrix = `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata: {name: s}\nspec:\n  template: {pipeline: {mutators: [${fn('')}]}}\n`
  const variant = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: s}\nspec: {pipeline: {mutators: [${fn(', configMapExprs: []')}]}}\n`
  expect(findings({ 'set.yaml': set('') })).toHaveLength(1)
  expect(findings({ 'set.yaml': set(', configMapExprs: [{key: size, value: a}]') })).toEqual([])
  expect(findings({ 'matrix.yaml': matrix })).toEqual([])
  expect(findings({ 'variant.yaml': variant })).toHaveLength(1)
})
