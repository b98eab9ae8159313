import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runTree } from './conformance-runner/run-tree.ts'

const { lines, failed } = await runTree(fileURLToPath(new URL('conformance', import.meta.url)), ADAPTERS)

test('answers equal those of the real systems, but for the documented differences', () => {
  expect(failed, lines.join('\n')).toBe(false)
})

test('the README has the figures of today', () => {
  const counts = lines.map((line) => line.match(/^porch\/.*: (\d+) of (\d+) equal/)).filter((match) => match !== null)
  const sum = (group: 1 | 2): number => counts.reduce((total, match) => total + Number(match[group]), 0)
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`${sum(1)} of ${sum(2)} answers`)
})
