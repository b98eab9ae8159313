import { expect, test } from 'vitest'
import { kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import { formatResult } from '../../result.ts'
import { writtenPackage } from '../testing/written-package.ts'
import { findInjectionPoints } from './injection-point.ts'
import { readSources } from './injection-source.ts'
import { unmetResults } from './unmet-point.ts'

const KPTFILE = kptfileText('shop')

interface Unmet {
  readonly apiVersion?: string
  readonly kind?: string
  readonly mode?: string
  readonly annotations?: string
  readonly sources?: readonly string[]
  readonly injectors?: readonly Injector[]
  readonly strict?: boolean
}

/** Returns the finding about the unmet point `point` of the kind Site in the namespace `team`, for the reason `why`. */
function unmet({
  apiVersion = 'x.org/v1',
  kind = 'Site',
  mode = 'required',
  annotations = '',
  sources = [],
  injectors = [],
  strict = false,
}: Unmet) {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: point\n  annotations:\n    kpt.dev/config-injection: ${mode}\n${annotations}`
  const { pkg } = writtenPackage({ Kptfile: KPTFILE, 'p.yaml': text })
  const [point] = findInjectionPoints(pkg)
  if (point === undefined) throw new Error('no point')
  const objects = sources.map((source) => {
    const [type = '', name = '', namespace = ''] = source.split(' ')
    const [sourceKind, group] = type.split('@')
    const head = group === undefined ? 'apiVersion: x.org/v1\n' : group === '' ? '' : `apiVersion: ${group}\n`
    return writtenObject(`${head}kind: ${sourceKind}\nmetadata: {name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`}}\n`)
  })
  return formatResult(unmetResults({ injectors, namespace: 'team', sources: readSources(objects), strict })(point, 'why'))
}

/** Returns the parts of the message after the reason. */
function parts(given: Unmet): string {
  return unmet(given)
    .replace(/^.* is not met: why; /, '')
    .replace(' [injection-unmet]', '')
}

test('an unmet point is a finding at its annotation, an error if it is required and the run is strict', () => {
  const start =
    /^p\.yaml:6:31: (error|warning): `metadata\.annotations.*config-injection.*` is not met: why; there is no Site among the sources \[injection-unmet\]$/
  expect(unmet({})).toMatch(start)
  const severityOf = (given: Unmet) => start.exec(unmet(given))?.[1]
  expect(severityOf({})).toBe('warning')
  expect(severityOf({ strict: true })).toBe('error')
  expect(severityOf({ strict: true, mode: 'optional' })).toBe('warning')
})

test.each([
  { rule: 'one candidate', given: { sources: ['Site a'] }, says: "there is Site 'a'" },
  {
    rule: 'five candidates',
    given: { sources: ['Site a', 'Site b', 'Site c', 'Site d', 'Site e'] },
    says: "there is Site 'a', 'b', 'c', 'd', 'e'",
  },
  {
    rule: 'five of six candidates',
    given: { sources: ['Site a', 'Site b', 'Site c', 'Site d', 'Site e', 'Site f'] },
    says: "there is Site 'a', 'b', 'c', 'd', 'e' and 1 more",
  },
  {
    rule: 'the kind in another namespace, group or version',
    given: { sources: ['Site a other', 'Site@y.org/v1 b', 'Site@ c'] },
    says: "there is no x.org/v1 Site in the namespace 'team', but x.org/v1 Site 'a' in 'other', y.org/v1 Site 'b', Site 'c'",
  },
  { rule: 'no source of the kind', given: { sources: ['Area a'] }, says: 'there is no Site among the sources' },
  { rule: 'a point without a kind', given: { kind: '""', sources: ['Site a'] }, says: 'it has no kind' },
  {
    rule: 'what was injected before',
    given: { sources: ['Site a'], annotations: '    kpt.dev/injected-resource: old\n' },
    says: "there is Site 'a'; it keeps what was injected from 'old' before",
  },
])('the message names $rule', ({ given, says }) => {
  expect(parts(given)).toBe(says)
})

test.each<{ rule: string; injectors: readonly Injector[]; says: string }>([
  { rule: 'no injector', injectors: [], says: '' },
  {
    rule: 'the injector that names a candidate for another group',
    injectors: [{ name: 'x' }, { name: 'east', group: 'y.org' }],
    says: "; `spec.injectors[1]` names 'east', but its group is 'y.org'",
  },
  {
    rule: 'the injector that names a candidate for another version',
    injectors: [{ name: 'east', version: 'v2' }],
    says: "; `spec.injectors[0]` names 'east', but its version is 'v2'",
  },
  {
    rule: 'the injector that names a candidate for another kind, and its first difference alone',
    injectors: [{ name: 'east', kind: 'Area', point: 'other' }],
    says: "; `spec.injectors[0]` names 'east', but its kind is 'Area'",
  },
  {
    rule: 'the injector that names a candidate for another point',
    injectors: [{ name: 'east', point: 'other' }],
    says: "; `spec.injectors[0]` names 'east', but its point is 'other'",
  },
  { rule: 'no injector if one that names a candidate applies', injectors: [{ name: 'west', kind: 'Area' }, { name: 'east' }], says: '' },
  {
    rule: 'the injector whose name is nearly that of a candidate',
    injectors: [{ name: 'far-away' }, { name: 'eest', kind: 'Area' }, { name: 'eastt', kind: 'Site' }],
    says: "; `spec.injectors[2]` names 'eastt', did you mean 'east'?",
  },
  { rule: 'no injector whose name is far from all candidates', injectors: [{ name: 'far-away' }], says: '' },
])('the message names $rule', ({ injectors, says }) => {
  expect(parts({ sources: ['Site east', 'Site west'], injectors })).toBe(`there is Site 'east', 'west'${says}`)
})

test('without candidates no injector is named', () => {
  expect(parts({ sources: ['Site east other'], injectors: [{ name: 'east', kind: 'Area' }] })).toMatch(/^there is no .*'east' in 'other'$/)
})
