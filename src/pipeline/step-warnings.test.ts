import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { evaluate } from '../run.ts'
import { readPackages, runPackages } from './run-packages.ts'

const IMAGE = 'ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.0'

/** Returns the warnings of a run of apply-setters, whose answer is its input. */
function warningsOf(config: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const files: Readonly<Record<string, string>> = {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - image: ${IMAGE}\n    ${config}\n`,
    'app.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  size: m # kpt-set: ${size}\n  image: a:b # kpt-set: ${name}:${tag}\n',
    ...more,
  }
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const echo = (input: string) => evaluate(() => {}, input)
  const runners = { builtins: [], programs: new Map([[IMAGE, ['echo']]]), allowExec: true, imagePrefix: undefined, program: () => echo }
  const [run] = runPackages(readPackages([{ tree, place: '/a', name: (path) => path }]), runners)
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
