import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const bundles = readdirSync(`${ROOT}dist`).map((file) => file.replace(/\.mjs$/, ''))
/** Gives a program a terminal (util-linux). */
const SCRIPT = '/usr/bin/script'

// What a person finds out who starts a bundle by hand.
test.for(bundles)('dist/%s.mjs says its version', async (name, { expect }) => {
  const { stdout, stderr, exitCode } = await runProgram(bundlePath(name), ['--version'])
  expect({ stdout: stdout.toString(), stderr, exitCode }).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 })
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
