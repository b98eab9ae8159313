import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const bundles = readdirSync(`${ROOT}dist`).map((file) => file.replace(/\.mjs$/, ''))
/** Gives a program a terminal (util-linux). */
const SCRIPT = '/usr/bin/script'

// What a person finds out who starts a bundle by hand.
describe.each(bundles)('dist/%s.mjs', (name) => {
  test.concurrent('says its version', async ({ expect }) => {
    const { stdout, stderr, exitCode } = await runProgram(bundlePath(name), ['--version'])
    expect({ stdout: stdout.toString(), stderr, exitCode }).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 })
  })

  test.skipIf(name === 'krm-variants' || process.platform !== 'linux' || !existsSync(SCRIPT))(
    'says at a terminal what it waits for, and what was wrong with nothing',
    async ({ expect }) => {
      const { stdout } = await runProgram(SCRIPT, ['-qec', bundlePath(name), '/dev/null'])
      expect(stdout.toString()).toMatch(
        new RegExp(`^${name} waits for a ResourceList on stdin .*\\r?\\n[^]*expected a ResourceList, found nothing`),
      )
    },
  )
})
