import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { finish } from '../progress.ts'
import { evaluate } from '../run.ts'
import { readPackages, runPackages } from './run-packages.ts'

const IMAGE = 'ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.0'

/** Returns the warnings of a run of apply-setters, whose answer is its input. */
function warningsOf(config: string, more: Readonly<Record<string, string>> = {}, image = IMAGE): readonly string[] {
  const files: Readonly<Record<string, string>> = {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - image: ${image}\n    ${config}\n`,
    'app.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  size: m # kpt-set: ${size}\n  image: a:b # kpt-set: ${name}:${tag}\n',
    ...more,
  }
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const echo = (input: string) => evaluate(() => {}, input)
  const runners = { builtins: [], programs: new Map([[image, ['echo']]]), allowExec: true, imagePrefix: undefined, program: () => echo }
  const [run] = finish(runPackages(readPackages([{ tree, place: '/a', name: (path) => path }]), runners))
  return (run?.results ?? []).map(({ severity, message, tags }) => `${severity} ${tags.rule} ${message}`)
}

test('a setter that no comment names is a warning with the nearest name', () => {
  expect(warningsOf('configMap: {sise: l}')).toEqual([
    "warning setter-unmatched `pipeline.mutators[0].configMap.sise` has the setter 'sise', which no resource of the function has in a comment `# kpt-set:`; did you mean 'size'?",
  ])
})

test('setters of a part of a value, and setters in a file, are found in comments', () => {
  expect(warningsOf('configMap: {size: l, name: x, tag: y}')).toEqual([])
  const setters = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\ndata: {size: l, other: x}\n'
  expect(warningsOf('configPath: setters.yaml', { 'setters.yaml': setters })).toEqual([
    expect.stringMatching(/^warning setter-unmatched .*'other' of 'setters.yaml'/),
  ])
})

test('setters are not judged where selectors leave nothing', () => {
  expect(warningsOf('configMap: {sise: l}\n    selectors: [{kind: Secret}]')).toEqual([])
})

const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: till-1}\n'

/** Returns the warnings about selectors: the field, and what is most likely meant. */
function misspelt(selectors: string): readonly string[] {
  return warningsOf(`configMap: {size: l, name: x, tag: y}\n    ${selectors}`, { 'till.yaml': DEPLOYMENT }).filter((line) =>
    line.includes('selector-unmatched'),
  )
}

const MUST = 'must be that of a resource, no resource of the package has'

test.each([
  ['selectors: [{kind: Deploymnt}]', `\`pipeline.mutators[0].selectors[0].kind\` ${MUST} 'Deploymnt'; did you mean 'Deployment'?`],
  ['selectors: [{name: app}, {name: ap}]', `\`pipeline.mutators[0].selectors[1].name\` ${MUST} 'ap'; did you mean 'app'?`],
  ['exclude: [{kind: ConfigMap, name: aap}]', `\`pipeline.mutators[0].exclude[0].name\` ${MUST} 'aap'; did you mean 'app'?`],
  ['exclude: [{kind: ConfigMp, name: app}]', `\`pipeline.mutators[0].exclude[0].kind\` ${MUST} 'ConfigMp'; did you mean 'ConfigMap'?`],
  ['selectors: [{kind: Deployment}]', undefined],
  ['selectors: [{kind: Secret}]', undefined],
  ['selectors: [{kind: Deployment, name: till-2}]', undefined],
  ['selectors: [{kind: Deployment, name: app}]', undefined],
  ['selectors: [{kind: Deploy}]', undefined],
  ['selectors: [{kind: Deployme}]', `\`pipeline.mutators[0].selectors[0].kind\` ${MUST} 'Deployme'; did you mean 'Deployment'?`],
  ['selectors: [{kind: Deploym}]', undefined],
  ['selectors: [{name: til-1}]', `\`pipeline.mutators[0].selectors[0].name\` ${MUST} 'til-1'; did you mean 'till-1'?`],
  ['selectors: [{kind: Deployment, labels: {a: b}}]', undefined],
  ['selectors: [{kind: ConfigMap, name: app, namespace: other}]', undefined],
  ['selectors: [{labels: {a: b}}]', undefined],
])('the selectors %s select nothing by mistake: %s', (selectors, message) => {
  expect(misspelt(selectors)).toEqual(message === undefined ? [] : [`warning selector-unmatched ${message}`])
})

test('only a function apply-setters is asked for its setters', () => {
  expect(warningsOf('configMap: {sise: l}', {}, `example.com/apply-setters@sha256:${'a'.repeat(64)}`)).toHaveLength(1)
  expect(warningsOf('configMap: {sise: l}', {}, 'apply-setters')).toHaveLength(1)
  expect(warningsOf('configMap: {sise: l}', {}, 'example.com/my-apply-setters:v1')).toEqual([])
  expect(warningsOf('configMap: {sise: l}', {}, 'example.com/apply-setters-2:v1')).toEqual([])
})
