import { expect, test } from 'vitest'
import { objectOf, packageObject, READER, read } from '../crossplane/testing/objects.ts'
import { type Package, packageTable } from '../package-index.ts'
import type { Step } from '../plan/plan.ts'
import { indexOn, movedFields, type ReadOptions, setStep } from './ecosystem.ts'

/** Returns the part of an index that options decide, with a package that is installed and one that is not. */
function indexWith(options: ReadOptions) {
  const table = packageTable()
  const packageOf = (id: string): Package =>
    table.package({ key: id, id, name: `${id} here`, versions: () => [], requirements: () => undefined })
  const [installed, absent] = [packageOf('installed'), packageOf('absent')]
  const [install] = read([packageObject('p', 'xpkg.example.org/a/p:v1.0.0')]).index.installs
  if (install === undefined) throw new Error('there is an install')
  table.install({ ...install, package: installed })
  return { index: indexOn('crossplane', { reader: READER, table }, options), installed, absent }
}

test('an index has the ecosystem, the dialect of its reader and the installs of its table', () => {
  const { index, absent } = indexWith({ closed: true })
  expect([index.ecosystem, index.dialect, index.closed, index.installs.length, index.owns(absent)]).toEqual([
    'crossplane',
    'm350',
    true,
    1,
    true,
  ])
  expect(indexWith({ closed: false }).index.closed).toBe(false)
  const [low, high] = ['v1.0.0', 'v2.0.0'].flatMap((text) => READER.version(text) ?? [])
  expect(low && high && [index.compare(low, high) < 0, index.compare(high, low) > 0]).toEqual([true, true])
})

test('a package is provided if the options say so by its ecosystem and id, and no object installs it', () => {
  const asked: string[] = []
  const isProvided = (ecosystem: string, id: string) => asked.push(`${ecosystem} ${id}`) > 0
  const { index, installed, absent } = indexWith({ closed: true, isProvided })
  expect([index.isProvided(absent), index.isProvided(installed), asked]).toEqual([true, false, ['crossplane absent']])
  expect(indexWith({ closed: true, isProvided: () => false }).index.isProvided(absent)).toBe(false)
  expect(indexWith({ closed: true }).index.isProvided(absent)).toBe(false)
})

/** Returns the fields of a step that moves an install of v1.0.0 to a version. */
function fieldsFor(version: string, generated: boolean): unknown {
  const annotations = { 'krm-variants.dev/resolved': 'v1.0.0' }
  const spec = { package: 'xpkg.example.org/a/p:v1.0.0' }
  const object = objectOf({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name: 'p', ...(generated && { annotations }) },
    spec,
  })
  const [install] = read([object]).index.installs
  if (install === undefined) throw new Error('there is an install')
  const step: Step = { op: 'update', ecosystem: 'crossplane', version, name: 'p', pass: 1, package: install.package, install, parents: [] }
  expect(movedFields({ ...step, install: undefined })).toEqual([])
  return movedFields(step)
}

test('a move sets the field of the version, in a generated object its mark too, and nothing if the version stays', () => {
  const moved = { path: ['spec', 'package'], value: 'xpkg.example.org/a/p:v2.0.0' }
  expect(fieldsFor('v2.0.0', false)).toEqual([moved])
  expect(fieldsFor('v2.0.0', true)).toEqual([{ path: ['metadata', 'annotations', 'krm-variants.dev/resolved'], value: 'v2.0.0' }, moved])
  expect(fieldsFor('v1.0.0', true)).toEqual([])
})

test('a step of a controller sets fields of one object', () => {
  const object = objectOf({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } })
  const fields = [{ path: ['spec', 'a'], value: 1 }]
  expect(setStep(object, fields, 'A becomes 1', 'all do')).toEqual({
    what: 'A becomes 1',
    why: 'all do',
    edits: [{ type: 'set', object, fields }],
  })
})
