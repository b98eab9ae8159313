import { describe, expect, test } from 'vitest'
import { NO_KINDS } from '../../reading/served-kinds.ts'
import { currentRevisionName } from '../revisions.ts'
import { digest, findingsOn, packageObject, read, revisionObject } from '../testing/objects.ts'

const HELM = `xpkg.example.org/acme/helm@${digest('a')}`

/** Returns the findings on revisions of one Provider, by rule. */
function rulesOn(revisions: readonly Parameters<typeof revisionObject>[], spec: object = {}): string[] {
  const found = findingsOn([packageObject('helm', HELM, spec), ...revisions.map((each) => revisionObject(...each))])
  return found.filter((each) => each.startsWith('revision-'))
}

const active = (name: string, revision: number): Parameters<typeof revisionObject> => ['helm', name, { desiredState: 'Active', revision }]
const inactive = (name: string, revision: number): Parameters<typeof revisionObject> => [
  'helm',
  name,
  { desiredState: 'Inactive', revision },
]

test('one Active revision beside an Inactive one is fine', () => {
  expect(rulesOn([active('helm-2', 2), inactive('helm-1', 1)])).toEqual([])
})

test('revision-many-active: at most one revision of a package is Active', () => {
  expect(rulesOn([active('helm-1', 1), active('helm-2', 2)])).toContainEqual(
    expect.stringMatching(/^revision-many-active: .*are both Active; at most one revision of helm must be/),
  )
})

test('revision-many-active: Active revisions of two packages are fine', () => {
  expect(rulesOn([active('helm-1', 1), ['sql', 'sql-1', { desiredState: 'Active', revision: 1 }]])).toEqual([])
})

describe('revision-invalid', () => {
  test.each([
    {
      rule: 'desiredState is Active or Inactive',
      spec: { desiredState: 'Running', revision: 1 },
      words: "'Active', 'Inactive', got 'Running'",
    },
    {
      rule: 'the number is not negative',
      spec: { desiredState: 'Active', revision: -1 },
      words: 'must be a whole number, 0 or more, got the number -1',
    },
    { rule: 'the number is set', spec: { desiredState: 'Active' }, words: 'got nothing' },
  ])('$rule', ({ spec, words }) => {
    expect(rulesOn([['helm', 'helm-1', spec]])).toContainEqual(expect.stringContaining(words))
  })

  test('two revisions of one package have two numbers', () => {
    expect(rulesOn([active('helm-2', 1), inactive('helm-1', 1)])).toContainEqual(
      expect.stringMatching(/^revision-invalid: .*must be the number of one revision of Provider helm, got 1, as helm-1 has/),
    )
  })

  test('revisionHistoryLimit is a whole number from 0', () => {
    expect(rulesOn([active('helm-1', 1)], { revisionHistoryLimit: -1 })).toContainEqual(expect.stringContaining('revisionHistoryLimit'))
  })
})

describe('revision-manual-none-active', () => {
  test('under Manual nothing runs until a user activates a revision', () => {
    const [found] = rulesOn([inactive('helm-1', 1)], { revisionActivationPolicy: 'Manual' })
    expect(found).toMatch(/^revision-manual-none-active: .*nothing runs until a user sets one of its 1 revisions Active/)
  })

  test('under Automatic the package manager activates one', () => {
    expect(rulesOn([inactive('helm-1', 1)])).toEqual([])
  })
})

describe('revision-gc', () => {
  test('the revision with the lowest number is deleted next if there are more than limit + 1', () => {
    const revisions = [active('helm-3', 3), inactive('helm-2', 2), inactive('helm-1', 1)]
    expect(rulesOn(revisions, { revisionHistoryLimit: 1 })).toEqual([
      expect.stringMatching(/^revision-gc: ProviderRevision helm-1 \(revision 1\) is deleted next/),
    ])
    expect(rulesOn(revisions, { revisionHistoryLimit: 2 })).toEqual([])
  })

  test('a limit of 0 keeps every revision', () => {
    expect(rulesOn([active('helm-3', 3), inactive('helm-2', 2), inactive('helm-1', 1)], { revisionHistoryLimit: 0 })).toEqual([])
  })
})

describe('revisions that a controller cannot choose from', () => {
  const wanted = currentRevisionName('helm', digest('a'), 1)
  const BOTH = 'ProviderRevision helm-1 (helm-1.yaml:1) and ProviderRevision helm-2 are both Active; at most one revision of helm must be'

  /** Returns if the controller has steps, and its findings, for Active revisions, the latest first. */
  const reconciled = (...names: readonly string[]) => {
    const revisions = names.map((each, at) => revisionObject('helm', each, { desiredState: 'Active', revision: names.length - at }))
    const done = read([packageObject('helm', HELM), ...revisions]).controller?.reconcile?.(NO_KINDS)
    const many = done?.findings.filter(({ rule }) => rule === 'revision-many-active').map(({ message }) => message)
    return [(done?.steps.length ?? 0) > 0, many]
  }

  test('a second Active revision beside the wanted one becomes Inactive', () => {
    expect(reconciled(wanted, 'helm-1')).toEqual([true, []])
  })

  test('of three Active revisions, or of two without the wanted one, nothing is foreseen', () => {
    expect(reconciled(wanted, 'helm-2', 'helm-1')).toEqual([false, [BOTH]])
    expect(reconciled('helm-2', 'helm-1')).toEqual([false, [BOTH]])
  })
})
