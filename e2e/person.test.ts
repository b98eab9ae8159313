import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const bundles = readdirSync(`${ROOT}dist`).flatMap((file) => file.match(/^(.*)\.mjs$/)?.slice(1) ?? [])
/** Gives a program a terminal (util-linux). */
const SCRIPT = '/usr/bin/script'

// What a person finds out who starts a bundle by hand.
const PORCH =
  /^(\S+) \((?:commit [0-9a-f]{12}(?:-dirty)?, )?answers compared with a build of Porch (after [\d.]+), target porch is (\S+)\)\n$/
test.for(bundles)('dist/%s.mjs says its version, its commit, the build of Porch and the target', async (name, { expect }) => {
  const { stdout, stderr, exitCode } = await runProgram(bundlePath(name), ['--version'])
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  const [, said, compared, target] = stdout.toString().match(PORCH) ?? []
  expect(said).toBe(version)
  expect(readFileSync(`${ROOT}docs/compared.md`, 'utf8')).toContain(`of Porch of 2026-04-29, ${compared} |`)
  expect(readFileSync(`${ROOT}docs/commands/check.md`, 'utf8')).toContain(`| \`porch\`, \`${target}\` |`)
})

describe.skipIf(!existsSync(SCRIPT))('at a terminal, which script of util-linux gives', () => {
  test.for(bundles.filter((name) => name !== 'krm-variants'))(
    '%s says what it waits for, and what was wrong with nothing',
    async (name, { expect }) => {
      const { stdout } = await runProgram(SCRIPT, ['-qec', bundlePath(name), '/dev/null'])
      expect(stdout.toString()).toMatch(
        new RegExp(`^${name} waits for a ResourceList on stdin .*\\r?\\n[^]*expected a ResourceList, found nothing`),
      )
    },
  )
})
