import { expect, test } from 'vitest'
import type { ChangeCause, ChangeGroup, Danger, DiffReport } from '../../src/diff/report.ts'
import type { Result } from '../../src/result.ts'
import { dangersGithub, dangersSarif } from './danger-findings.ts'

const DANGER: Danger = { rule: 'no-replicas', text: 'no pod is left', path: 'spec.replicas' }

const group = (more: Partial<ChangeGroup> = {}): ChangeGroup => ({
  id: '1',
  op: 'change',
  objects: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'n' }],
  fields: [],
  causes: [{ kind: 'set', text: 'replicas 1 → 0', file: 'sets.yaml', line: 7 }],
  dangers: [DANGER],
  clusters: 2,
  places: [
    { cluster: 'a', package: 'a/web', set: 'fleet/web' },
    { cluster: 'b', package: 'b/web' },
  ],
  ...more,
})

const report = (more: Partial<DiffReport>): DiffReport => ({
  from: { name: 'HEAD' },
  to: { name: 'working tree' },
  packagesAre: 'committed',
  counts: { packages: 1, changed: 1, local: 0, clusters: 1, groups: 1 },
  groups: [],
  dangers: [],
  images: [],
  packages: [],
  results: [],
  ...more,
})

const github = (more: Partial<DiffReport>) => dangersGithub(report(more), (path) => `fleet/${path}`)
const sarif = (more: Partial<DiffReport>) => JSON.parse(dangersSarif(report(more), '1.0.0', (path) => `f ä/${path}`)).runs[0]

test('a danger is a warning at the line of its cause, with the objects, the clusters and the field', () => {
  expect(github({ groups: [group()] })).toBe(
    '::warning file=fleet/sets.yaml,line=7,title=no-replicas::Deployment n/web, 2 clusters: spec.replicas: no pod is left\n',
  )
})

test('a danger about a whole object has no field, and a notice is no warning', () => {
  const dangers: readonly Danger[] = [{ rule: 'volume-claim-deleted', text: 'the data goes' }]
  expect(github({ groups: [group({ dangers, clusters: 1 })] })).toContain('::Deployment n/web, 1 cluster: the data goes\n')
  const notices: readonly Danger[] = [{ ...DANGER, severity: 'notice' }]
  expect(github({ groups: [group({ dangers: notices })] })).toMatch(/^::notice /)
  expect(sarif({ groups: [group({ dangers: notices })] }).results[0].level).toBe('note')
  const rule: readonly Danger[] = [{ rule: 'probe-removed', severity: 'notice', text: 'a probe goes' }]
  expect(sarif({ groups: [group({ dangers: rule })] }).tool.driver.rules[0].defaultConfiguration.level).toBe('note')
})

test.each<[string, readonly ChangeCause[], string]>([
  [
    'of an input before its expression',
    [{ kind: 'expression', text: 'e', file: 's.yaml', line: 1, inputs: [{ text: 'i', file: 'r.yaml', line: 2 }] }],
    'file=fleet/r.yaml,line=2,',
  ],
  [
    'of the cause before its details',
    [{ kind: 'upstream', text: 'u', file: 's.yaml', line: 1, details: [{ text: 'd', file: 'u.yaml', line: 2 }] }],
    'file=fleet/s.yaml,line=1,',
  ],
  [
    'of the details where the cause has none',
    [{ kind: 'upstream', text: 'u', details: [{ text: 'd', file: 'u.yaml', line: 2 }] }],
    'file=fleet/u.yaml,line=2,',
  ],
  ['of a file as a whole', [{ kind: 'options', text: 'o', file: 'o.yaml' }], 'file=fleet/o.yaml,'],
  ['of nothing where no cause has a file', [{ kind: 'edit', text: 'e' }], ''],
])('the line is that %s', (_, causes, place) => {
  expect(github({ groups: [group({ causes })] })).toMatch(new RegExp(`^::warning ${place}title=`))
})

test('many clusters of a set that change at once are a warning at the line of a change of that set', () => {
  const wide = { rule: 'wide-change', text: '5 of 11 clusters of set fleet/web change at once', count: 5, groups: [], set: 'fleet/web' }
  const other = group({
    dangers: [],
    causes: [{ kind: 'set', text: 's', file: 'other.yaml', line: 1 }],
    places: [{ cluster: 'a', package: 'a/x', set: 'fleet/other' }],
  })
  expect(github({ groups: [other, group({ dangers: [] })], dangers: [wide] })).toBe(
    `::warning file=fleet/sets.yaml,line=7,title=wide-change::${wide.text}\n`,
  )
})

test('the count of a danger that groups have is not said again', () => {
  expect(github({ dangers: [{ rule: 'no-replicas', text: '1 deployment without pods', count: 1, groups: ['1'] }] })).toBe('')
})

test('errors come before dangers; warnings are left to check', () => {
  const error: Result = {
    severity: 'error',
    message: 'broken',
    file: { path: 'k.yaml', index: 0 },
    position: { line: 3, column: 1 },
    tags: { rule: 'duplicate-key' },
  }
  const lines = github({ groups: [group()], results: [{ ...error, severity: 'warning', message: 'odd' }, error] }).split('\n')
  expect(lines[0]).toBe('::error file=fleet/k.yaml,line=3,title=duplicate-key::broken')
  expect(lines).toHaveLength(3)
})

test('SARIF has each path encoded, each rule that is found with its level, and no place where none is known', () => {
  const { results, tool } = sarif({ groups: [group(), group({ causes: [] })] })
  expect(results[0]).toMatchObject({
    ruleId: 'no-replicas',
    level: 'warning',
    locations: [{ physicalLocation: { artifactLocation: { uri: 'f%20%C3%A4/sets.yaml' }, region: { startLine: 7 } } }],
  })
  expect(results[1].locations).toBeUndefined()
  expect(tool.driver).toMatchObject({
    name: 'krm-variants diff',
    rules: [{ id: 'no-replicas', defaultConfiguration: { level: 'warning' }, shortDescription: { text: expect.stringMatching(/./) } }],
  })
})
