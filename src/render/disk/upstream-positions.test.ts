import { expect, test } from 'vitest'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import type { RenderedPackage } from '../render-request.ts'
import { atUpstream } from './upstream-positions.ts'

/** Returns the files of a package, each with an object. */
const filesOf = (files: Readonly<Record<string, JsonRecord>>): PackageFiles =>
  new Map(
    Object.entries(files).map(([path, value]) => [path, [KrmObject.fromDocument(JSON.stringify(value), { path, index: 0, line: 1 })]]),
  )

/** Returns the files of a package as they are rendered. */
const renderedOf = (files: Readonly<Record<string, JsonRecord>>): RenderedPackage['files'] =>
  new Map(
    Object.entries(files).map(([path, value]) => {
      const object = KrmObject.fromDocument(JSON.stringify(value), { path, index: 0, line: 1 })
      return [path, [{ from: 'theirs', source: object, object }]]
    }),
  )

const map = (color: string): JsonRecord => ({ kind: 'ConfigMap', metadata: { name: 'a' }, data: { color } })
const kptfile = (...images: readonly string[]): JsonRecord => ({
  kind: 'Kptfile',
  metadata: { name: 'a' },
  pipeline: { mutators: images.map((image) => ({ image })) },
})

const findingAt = (path: string, field: FieldPath | undefined): Result => ({
  severity: 'error',
  message: '`pipeline.mutators[1].image` is wrong',
  file: { path, index: 0 },
  position: { line: 9, column: 9 },
  ...(field && { field: { path: field } }),
  tags: { rule: 'kptfile' },
})

/** Returns a finding about the new package `clusters/a` as it is reported. */
function reported(result: Result, upstream: Readonly<Record<string, JsonRecord>>, made: Readonly<Record<string, JsonRecord>>) {
  const source: SourcePackage = {
    place: 'catalog/a@v1',
    files: filesOf(upstream),
    layouts: new Map(),
    modes: new Map(),
    results: [],
    faults: [],
  }
  const [found] = atUpstream([result], 'clusters/a', source, () => ({ files: renderedOf(made) }))
  return { path: found?.file?.path, line: found?.position?.line, field: found?.field && formatFieldPath(found.field.path) }
}

const COLOR = ['data', 'color']

test.each<[string, string, JsonRecord, JsonRecord, ReturnType<typeof reported>]>([
  ['whose value is that of the upstream', 'a.yaml', map('red'), map('red'), { path: 'catalog/a@v1/a.yaml', line: 1, field: 'data.color' }],
  [
    'whose value the variant changed',
    'a.yaml',
    map('red'),
    map('blue'),
    { path: 'catalog/a@v1/a.yaml', line: undefined, field: 'data.color' },
  ],
  ['of a file that the variant adds', 'b.yaml', map('red'), map('red'), { path: 'clusters/a/b.yaml', line: 9, field: 'data.color' }],
])('a finding about a field %s', (_, file, upstream, made, expected) => {
  expect(reported(findingAt(`clusters/a/${file}`, COLOR), { 'a.yaml': upstream }, { 'a.yaml': made })).toEqual(expected)
})

test('a finding outside of the new package, also in a folder whose name begins like it, stays as it is', () => {
  const upstream = { 'a.yaml': map('red') }
  expect(reported(findingAt('clusters/ab/a.yaml', COLOR), upstream, upstream).path).toBe('clusters/ab/a.yaml')
  expect(reported(findingAt('a.yaml', COLOR), upstream, upstream).path).toBe('a.yaml')
})

test('a finding about a whole file of the upstream has no place in it', () => {
  const upstream = { 'a.yaml': map('red') }
  expect(reported(findingAt('clusters/a/a.yaml', undefined), upstream, upstream)).toEqual({
    path: 'catalog/a@v1/a.yaml',
    line: undefined,
    field: undefined,
  })
})

test('a field that neither package has is in the file of the upstream, at no place', () => {
  const upstream = { 'a.yaml': map('red') }
  expect(reported(findingAt('clusters/a/a.yaml', ['data', 'size']), upstream, upstream).line).toBeUndefined()
})

test.each<[string, JsonRecord, JsonRecord, number, ReturnType<typeof reported>]>([
  [
    'of the upstream alone',
    kptfile('a', 'b'),
    kptfile('a', 'b'),
    1,
    { path: 'catalog/a@v1/Kptfile', line: 1, field: 'pipeline.mutators[1].image' },
  ],
  [
    'behind one of the variant',
    kptfile('b'),
    kptfile('mine', 'b'),
    1,
    { path: 'catalog/a@v1/Kptfile', line: 1, field: 'pipeline.mutators[0].image' },
  ],
  ['of the variant', kptfile('b'), kptfile('mine', 'b'), 0, { path: 'clusters/a/Kptfile', line: 9, field: 'pipeline.mutators[0].image' }],
])('a finding about a function %s', (_, upstream, made, index, expected) => {
  const finding = findingAt('clusters/a/Kptfile', ['pipeline', 'mutators', index, 'image'])
  expect(reported(finding, { Kptfile: upstream }, { Kptfile: made })).toEqual(expected)
})

test('the message of a finding names the field as the upstream has it', () => {
  const source = { place: 'u', files: filesOf({ Kptfile: kptfile('b') }), layouts: new Map(), modes: new Map(), results: [], faults: [] }
  const upstreamed = (message: string, ...deeper: readonly string[]) => {
    const finding = { ...findingAt('clusters/a/Kptfile', ['pipeline', 'mutators', 1, ...deeper]), message }
    const made = { files: renderedOf({ Kptfile: kptfile('mine', 'b') }) }
    return atUpstream([finding], 'clusters/a', source, () => made).map((found) => found.message)
  }
  expect(upstreamed('`pipeline.mutators[1].image` is wrong', 'image')).toEqual(['`pipeline.mutators[0].image` is wrong'])
  // A function of the pipeline names lines of the Kptfile that the package would have.
  expect(upstreamed("`pipeline.mutators[1]` 'b' failed: Kptfile:13:5: error: `pipeline.mutators[1].image` is wrong")).toEqual([
    "`pipeline.mutators[0]` 'b' failed: error: `pipeline.mutators[0].image` is wrong",
  ])
})
