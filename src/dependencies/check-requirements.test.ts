import { expect, test } from 'vitest'
import { checkRequirements } from './check-requirements.ts'
import { digest, packageObject, read } from './crossplane/testing/objects.ts'
import { NO_KINDS } from './reading/served-kinds.ts'

const APP = 'xpkg.example.org/acme/app'
const HELM = 'xpkg.example.org/acme/helm'

/** Returns the findings on a missing Provider, as rule and candidate, on a cluster with Crossplane v1.20.0. */
function findingsOnMissing(...versions: readonly object[]) {
  const app = { id: APP, kind: 'Configuration', versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: '>=v1.0.0' }] }] }
  const catalog = [app, { id: HELM, kind: 'Provider', versions }]
  const { index } = read([packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')], catalog, { crossplaneVersion: 'v1.20.0' })
  return checkRequirements(index, NO_KINDS, { downgrades: false }).map(({ rule, tags }) => [rule, tags?.candidate])
}

const version = (text: string, crossplane: string) => ({ version: text, dependencies: [], constraints: { crossplane } })

test('of a missing package the newest version that runs on the cluster is proposed', () => {
  const [old, newer, newest] = [version('v1.0.0', '>=v1.0.0'), version('v1.1.0', '>=v1.0.0'), version('v2.0.0', '>=v2.0.0')]
  expect(findingsOnMissing(old, newer, newest)).toEqual([['dependency-missing', 'v1.1.0']])
  expect(findingsOnMissing(newest)).toEqual([['no-version-available', undefined]])
})

test('a lower version is proposed only where downgrades are allowed', () => {
  const dependencies = [{ provider: HELM, version: '<v2.0.0' }]
  const catalog = [
    { id: APP, kind: 'Configuration', versions: [{ version: 'v1.0.0', dependencies }] },
    { id: HELM, kind: 'Provider', versions: ['v1.1.0', 'v2.0.0'] },
  ]
  const { index } = read([packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration'), packageObject('helm', `${HELM}:v2.0.0`)], catalog)
  const proposed = (downgrades: boolean) => checkRequirements(index, NO_KINDS, { downgrades }).map(({ proposedValue }) => proposedValue)
  expect(proposed(true)).toEqual([`${HELM}:v1.1.0`])
  expect(proposed(false)).toEqual([undefined])
})

test('a missing package that one package requires by digest and another by range is a conflict', () => {
  const conflicts = (other: string) => {
    const ids = [digest('a'), other].map((wanted, index) => ({ id: `${APP}-${index}`, wanted }))
    const catalog = ids.map(({ id, wanted }) => ({
      id,
      kind: 'Configuration',
      versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: wanted }] }],
    }))
    const objects = ids.map(({ id }, index) => packageObject(`app-${index}`, `${id}:v1.0.0`, {}, 'Configuration'))
    return checkRequirements(read(objects, catalog).index, NO_KINDS, { downgrades: false })[0]?.rule
  }
  expect(conflicts('>=v1.0.0')).toBe('digest-conflict')
  expect(conflicts(digest('a'))).toBe('dependency-missing')
})
