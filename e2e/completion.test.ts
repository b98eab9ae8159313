import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bundlePath, runProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-completion-'))
symlinkSync(bundlePath('krm-variants'), join(folder, 'krm-variants'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns what bash offers behind a line; what bash-completion would work out of the line is given. */
async function offered(line: string): Promise<readonly string[]> {
  const words = line.split(' ')
  const script = `
PATH=${folder}:$PATH
_get_comp_words_by_ref() { words=(${words.map((word) => `'${word}'`).join(' ')}); cword=${words.length - 1}; cur=$\{words[cword]}; prev=$\{words[cword-1]}; }
compopt() { :; }
source <(krm-variants completion bash)
$(complete -p krm-variants | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "$\{COMPREPLY[@]}"`
  const { stdout, stderr, exitCode } = await runProgram('bash', ['-c', script])
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return stdout.toString().trim().split('\n')
}

test.each([
  { line: 'krm-variants ex', words: ['explain'] },
  { line: 'krm-variants check --format s', words: ['sarif'] },
  { line: 'krm-variants check --unsafe', words: ['--unsafe-fixes'] },
  { line: 'krm-variants completion f', words: ['fish'] },
])('bash completes "$line"', async ({ line, words }) => {
  expect(await offered(line)).toEqual(words)
})

test.each(['bash', 'zsh', 'fish'])('the script for %s defines a completion of the tool', async (shell) => {
  const { stdout, exitCode } = await runProgram(bundlePath('krm-variants'), ['completion', shell])
  expect(exitCode).toBe(0)
  expect(stdout.toString()).toMatch(/krm-variants complete/)
})
