import { expect, test } from 'vitest'
import type { SyncExpression, SyncSystem } from './options.ts'
import { gitRepositoryOf, syncOf, variantOf } from './testing/sync-of-objects.ts'

const FLEET = [gitRepositoryOf('ham', {}, { tier: 'prod' }), variantOf('ham', 'dns'), variantOf('ham', 'web')]

/** Returns the findings about an expression, without their places. */
function findings(name: SyncExpression, text: string, system: SyncSystem = 'flux'): readonly string[] {
  return syncOf(FLEET, { system, expressions: { [name]: text } }).results.map((line) => line.replace(/^\S+ /, ''))
}

test.each<[SyncExpression, string, SyncSystem, boolean]>([
  ['projectExpr', "'team.a-1'", 'argocd', true],
  ['projectExpr', "'Team'", 'argocd', false],
  ['destinationExpr', "'arn:aws:eks:eu:1:cluster/a'", 'argocd', true],
  ['destinationExpr', "'arn:aws:eks:eu:1:cluster/a'", 'flux', false],
  ['destinationExpr', "' '", 'argocd', false],
  ['destinationExpr', "'a\\nb'", 'argocd', false],
  ['projectExpr', "'a:b'", 'argocd', false],
  ['tagExpr', "'v1.2/x_y-z'", 'flux', true],
  ['tagExpr', "'a..b'", 'flux', false],
  ['tagExpr', "'.a'", 'flux', false],
  ['tagExpr', `'${'a'.repeat(128)}'`, 'flux', true],
  ['tagExpr', `'${'a'.repeat(129)}'`, 'flux', false],
  ['namespaceExpr', "'shop'", 'flux', true],
  ['namespaceExpr', "'shop.a'", 'flux', false],
])('%s may give %s for %s: %j', (name, text, system, isAccepted) => {
  const faults = findings(name, text, system).filter((line) => line.startsWith('error:'))
  expect(faults).toEqual(
    isAccepted
      ? []
      : [expect.stringMatching(new RegExp(`^error: \`spec\\.${name}\` must give .* for variant 'ham-dns' \\[sync-value\\]$`))],
  )
})

test('sync names a refused value once for all variants, and another value once more', () => {
  expect(findings('namespaceExpr', "'Shop'")).toHaveLength(1)
  expect(findings('namespaceExpr', 'packageDefault + "_"').map((line) => line.replace(/.*, got /, ''))).toEqual([
    "'dns_' for variant 'ham-dns' [sync-value]",
    "'web_' for variant 'ham-web' [sync-value]",
  ])
})

test('an expression that does not compile, and one without a value, are faults of the expression, which sync reports once', () => {
  expect(findings('namespaceExpr', "'a' +")).toEqual([expect.stringMatching(/^error: `spec\.namespaceExpr` /)])
  expect(findings('namespaceExpr', 'repository.labels.zone')).toEqual([
    expect.stringMatching(
      /^error: `spec\.namespaceExpr` must have a value for variant 'ham-dns': column 18: no such key: zone.*\[expression-eval\]$/s,
    ),
  ])
})

test.each([
  ['2', 2],
  ['-1', -1],
  ['999999', 999_999],
])('a wave of %j orders the deployments', (text, wave) => {
  const { deployments, results } = syncOf([...FLEET, gitRepositoryOf('ber'), variantOf('ber', 'dns')], {
    system: 'argocd',
    expressions: { destinationExpr: 'repository.name', waveExpr: `repository.name == 'ham' ? '${text}' : '0'` },
  })
  expect(results).toEqual([])
  expect(deployments.map(({ name, wave: at }) => [name, at])).toEqual([
    ['ber-dns', 0],
    ['ham-dns', wave],
    ['ham-web', wave],
  ])
})

test.each(["'1.5'", "'first'", "''", "'1000000'", "'1 '"])('sync reports once that a wave of %s is no whole number', (text) => {
  const found = findings('waveExpr', text)
  expect(found).toEqual([
    expect.stringMatching(/^error: `spec\.waveExpr` must give a whole number as text, .* for variant 'ham-dns' \[sync-wave\]$/),
  ])
})

test('the expressions know the target with its labels, and the package', () => {
  const expressions = { nameExpr: "repository.labels.tier + '-' + packageDefault" }
  const { deployments, results } = syncOf(FLEET, { system: 'flux', expressions })
  expect(results).toEqual([])
  expect(deployments.map(({ name }) => name)).toEqual(['prod-dns', 'prod-web'])
})
