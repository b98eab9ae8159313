import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonValue } from '../json.ts'
import { closedMap } from '../schema/schema.ts'
import { validate } from '../schema/validate.ts'
import { ADDITIONAL_FIELDS_SCHEMA, catalogKind, catalogObject } from './catalog-kind.ts'

const SCHEMA = closedMap({ ...catalogKind('SetImage'), more: ADDITIONAL_FIELDS_SCHEMA })

/** Returns the rule and field of each finding about a functionConfig with additional fields. */
function faults(more: JsonValue, kind: object = catalogObject('SetImage')): readonly string[] {
  return validate(writtenObject(JSON.stringify({ ...kind, more })), { schema: SCHEMA }).map(
    ({ tags, field }) => `${tags.rule} ${field?.path.join('.')}`,
  )
}

test.each<readonly [string, JsonValue, readonly string[]]>([
  ['a path alone', [{ path: 'spec/image' }], []],
  ['everything', [{ group: 'apps', version: 'v1', kind: 'Deployment', path: 'spec/containers[]/image', create: true }], []],
  ['no entries', [], []],
  ['no list', { path: 'a' }, ['wrong-type more']],
  ['a text for an entry', ['a'], ['wrong-type more.0']],
  ['no path', [{ kind: 'A' }], ['required more.0.path']],
  ['an empty path', [{ path: '' }], ['empty more.0.path']],
  ['a field that is not known', [{ path: 'a', names: 'b' }], ['unknown-field more.0.names']],
  ['a text for create', [{ path: 'a', create: 'yes' }], ['wrong-type more.0.create']],
  [
    'a number for each text',
    [{ group: 1, version: 2, kind: 3, path: 4 }],
    ['group', 'version', 'kind', 'path'].map((key) => `wrong-type more.0.${key}`),
  ],
])('additional fields with %s have their faults', (_what, more, expected) => {
  expect(faults(more).toSorted()).toEqual(expected.toSorted())
})

test('the example of a kind is of the kind, and no other kind or version is', () => {
  const { metadata, ...kind } = catalogObject('SetImage')
  expect(kind).toEqual({ apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'SetImage' })
  expect(faults([], { ...kind, metadata })).toEqual([])
  expect(faults([], { ...kind, kind: 'SetLabels', apiVersion: 'fn.kpt.dev/v1' })).toHaveLength(2)
})
