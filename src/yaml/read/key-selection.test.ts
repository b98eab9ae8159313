import { expect, test } from 'vitest'
import { selectionOf } from './key-selection.ts'
import { type Wanted, wantedKeys } from './wanted.ts'

const mapOf = (...entries: readonly (readonly [string, Wanted | undefined])[]): Wanted => new Map(entries)

test('the keys of some maps are wanted, each at its path, and nothing beside them', () => {
  const { wanted } = selectionOf({ path: ['metadata'], keys: ['name', 'namespace'] }, { path: ['spec', 'a', 'b'], keys: ['c'] })
  const spec = mapOf(['a', mapOf(['b', wantedKeys(['c'])])])
  expect(wanted).toEqual(mapOf(['metadata', mapOf(['name', undefined], ['namespace', undefined])], ['spec', spec]))
})
