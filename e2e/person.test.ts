import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const bundles = readdirSync(`${ROOT}dist`).flatMap((file) => file.match(/^(.*)\.mjs$/)?.slice(1) ?? [])
/** Gives a program a terminal (util-linux). */
const SCRIPT = '/usr/bin/script'

// What a person finds out who starts a bundle by hand.
test.for(bundles)('dist/%s.mjs says its version, its commit and the level of Porch', async (name, { expect }) => {
  const { stdout, stderr, exitCode } = await runProgram(bundlePath(name), ['--version'])
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  const [, said, porch] = stdout.toString().match(/^(\S+) \((?:commit [0-9a-f]{12}(?:-dirty)?, )?Porch (v[\d.]+)\)\n$/) ?? []
  expect({ said, porch }).toEqual({ said: version, porch: readFileSync(`${ROOT}docs/porch.md`, 'utf8').match(/Porch (v[\d.]+)/)?.[1] })
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
