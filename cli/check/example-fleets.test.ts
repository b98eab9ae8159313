import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The rules that a finding may have although a fleet is right for every system. */
const OF_FLEET: Readonly<Record<string, readonly string[]>> = {
  // Breaks its policies on purpose.
  'examples/policies': ['policy-violation'],
}

describe.each(['examples/fleet', 'examples/matrix/fleet', 'examples/policies'])('%s', (folder) => {
  test.each(['krm-variants', 'kpt', 'kpt@beta.56', 'porch', 'porch@1.5.3', 'porch@main'])('is right for %s', async (system) => {
    const { stdout } = await recordRun(ROOT, ['check', '--all', '--target', system, folder])
    const rules = [...stdout.matchAll(/(?:error|warning): .*\[([a-z-]+)\]$/gm)].map(([, rule = '']) => rule)
    expect([...new Set(rules)].filter((rule) => !OF_FLEET[folder]?.includes(rule))).toEqual([])
    expect(stdout).toMatch(/can be fixed with --fix\n$/)
  })
})
