import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { planOf, repository, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

/** Returns the reason why the set does not ask for a variant of `app`, or of another package, in a repository. */
function whyNot(repo: string, targets: readonly JsonRecord[], objects: readonly Written[] = [], packageName = 'app') {
  const made = variant('made', repo, { downstream: { repo, package: packageName } })
  const { fleet, sets } = planOf([setOf(targets), made, ...objects], { allowEmpty: true })
  const [existing] = fleet.allOf('config.porch.kpt.dev', 'PackageVariant')
  return existing && sets[0]?.whyNot(existing)
}

const PROD = { repositorySelector: { matchLabels: { env: 'prod' } } }
const gone = (name: string, target = 0) => ({
  type: 'gone',
  path: ['spec', 'targets', target, 'repositorySelector'],
  kind: 'Repository',
  name,
})

test('a selector is the reason that its object is gone, if the downstream could be its', () => {
  expect(whyNot('a', [PROD], [repository('b')])).toMatchObject(gone('a'))
  expect(whyNot('a', [PROD], [repository('b')], 'other')).toBeUndefined()
})

test('a target with package names asks for those packages alone', () => {
  const target = { repositorySelector: { packageNames: ['one', 'other'] } }
  expect(whyNot('a', [target], [], 'other')).toMatchObject(gone('a'))
  expect(whyNot('a', [target], [], 'app')).toBeUndefined()
})

test('a template that computes the package may give any package', () => {
  const target = { ...PROD, template: { downstream: { packageExpr: "'x-' + packageDefault" } } }
  expect(whyNot('a', [target], [repository('b')], 'x-app')).toMatchObject(gone('a'))
})

test('a template that sets the repository says nothing about an object of that name', () => {
  const target = { ...PROD, template: { downstream: { repoExpr: "repoDefault + '-x'" } } }
  expect(whyNot('a', [target], [repository('b')])).toBeUndefined()
})

test('a list of repositories is no reason, the selector behind it is', () => {
  expect(whyNot('a', [{ repositories: [{ name: 'b' }] }], [repository('b')])).toBeUndefined()
  expect(whyNot('a', [{ repositories: [{ name: 'b' }] }, PROD], [repository('b')])).toMatchObject(gone('a', 1))
})

test('an object that is there is left out by its clause, or is no reason', () => {
  expect(whyNot('a', [PROD], [repository('a', { env: 'dev' })])).toMatchObject({ type: 'left-out', clause: 'env=prod', key: 'env' })
  expect(whyNot('a', [PROD], [repository('a', { env: 'dev' })], 'other')).toBeUndefined()
})

test('of several clauses the first that is not met leaves the object out', () => {
  const target = { repositorySelector: { matchLabels: { env: 'prod', tier: 'x' } } }
  expect(whyNot('a', [target], [repository('a', { env: 'prod' })])).toMatchObject({ type: 'left-out', clause: 'tier=x' })
})
