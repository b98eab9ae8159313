import { expect, test } from 'vitest'
import { resolveClaims } from './owners.ts'

function claims(packages: Readonly<Record<string, readonly string[]>>, controlling: readonly string[] = []) {
  return Object.entries(packages).flatMap(([claimant, objects]) =>
    objects.map((object) => ({ object, claimant, controls: controlling.includes(claimant) })),
  )
}

test.each([
  {
    reason: 'the winner takes all, the loser none (seed 003)',
    packages: { PB: ['CRD1', 'CRD2'], PA: ['CRD1', 'CRD2'] },
    winners: ['PA'],
    lost: [['PB', 'PA', 'CRD1', 'CRD2']],
  },
  {
    reason: 'who controls already comes first',
    packages: { PA: ['CRD1'], PB: ['CRD1'] },
    controlling: ['PB'],
    winners: ['PB'],
    lost: [['PA', 'PB', 'CRD1']],
  },
  {
    reason: 'a loser holds nothing against a third',
    packages: { PA: ['CRD1'], PB: ['CRD1', 'CRD2'], PC: ['CRD2'] },
    winners: ['PA', 'PC'],
    lost: [['PB', 'PA', 'CRD1']],
  },
  { reason: 'nothing in common', packages: { PA: ['CRD1'], PB: ['CRD2'] }, winners: ['PA', 'PB'], lost: [] },
])('$reason', ({ packages, controlling, winners, lost }) => {
  const resolved = resolveClaims(claims(packages, controlling))
  expect(resolved.winners).toEqual(winners)
  expect(resolved.conflicts.map(({ loser, winner, objects }) => [loser, winner, ...objects])).toEqual(lost)
})
