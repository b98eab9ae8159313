import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { readCommands, readFiles } from './markdown.ts'
import { HELM } from './present-hosts.ts'

/** Returns a folder with files, which is removed when the test ends. */
function folderOf(files: Iterable<readonly [string, string]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-helm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe.skipIf(!HELM.present)('with Helm', () => {
  test('docs/from-helm.md: from a chart to a package, its next revision and the update, each command with what it prints', async () => {
    const markdown = readFileSync(join(ROOT, 'docs/from-helm.md'), 'utf8')
    const folder = folderOf(readFiles(markdown))
    const programs = folderOf([])
    symlinkSync(bundlePath('krm-variants'), join(programs, 'krm-variants'))
    const commands = readCommands(markdown)
    expect(commands.length).toBeGreaterThan(10)
    for (const { command, output } of commands) {
      const PATH = `${programs}${delimiter}${process.env.PATH}`
      const args = [`PATH=${PATH}`, 'bash', '-o', 'pipefail', '-c', `cd '${folder}' && ${command}`]
      const { stdout, stderr, exitCode } = await runProgram('env', args)
      expect({ command, told: `${stdout}${stderr}`, exitCode }).toEqual({ command, told: output, exitCode: 0 })
    }
  })
})
