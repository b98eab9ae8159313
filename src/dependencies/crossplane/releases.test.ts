import { describe, expect, test } from 'vitest'
import { firstRelease, hasChange } from './releases.ts'
import { packageObject, read } from './testing/objects.ts'

describe('the changes of a release', () => {
  test.each([
    { version: 'v2.3.4', change: 'generation-in-names', has: false },
    { version: 'v2.4.0-rc.0', change: 'generation-in-names', has: false },
    { version: 'v2.4.0', change: 'generation-in-names', has: true },
    { version: '2.4.1-rc.1', change: 'generation-in-names', has: true },
    { version: 'v2.10.0', change: 'generation-in-names', has: true },
    { version: 'v3.0.0', change: 'generation-in-names', has: true },
    { version: 'v1.20.0', change: 'partial-tags-left-out', has: false },
    { version: 'v2.1.3', change: 'outdated-left-out', has: false },
    { version: 'v2', change: 'ranges-of-version-3', has: false },
    { version: 'v3', change: 'ranges-of-version-3', has: true },
    { version: 'newest', change: 'ranges-of-version-3', has: true },
    { version: 'main', change: 'generation-in-names', has: true },
    { version: undefined, change: 'generation-in-names', has: true },
    { version: undefined, change: 'found-by-source', has: true },
  ] as const)('$version, $change: $has', ({ version, change, has }) => {
    expect(hasChange(change, version)).toBe(has)
  })

  test('are named by the first release', () => {
    expect(firstRelease('outdated-left-out')).toBe('v2.2')
  })
})

describe('a Function that brings a definition', () => {
  const functionOf = (crossplaneVersion: string) => {
    const installed = packageObject('f', 'xpkg.example.org/acme/f:v1.0.0', {}, 'Function')
    const brings = [{ kind: 'CustomResourceDefinition', name: 'rules.f.example.org' }]
    const known = [{ id: 'xpkg.example.org/acme/f', kind: 'Function', versions: [{ version: 'v1.0.0', dependencies: [], brings }] }]
    return read([installed], known, { crossplaneVersion }).findings()
  }

  test('is refused before v2.2', () => {
    expect(functionOf('v2.1.3')).toMatchObject([
      { rule: 'platform-incompatible', message: expect.stringContaining('since Crossplane v2.2, the cluster has v2.1.3') },
    ])
    expect(functionOf('v2.2.0')).toEqual([])
  })
})
