import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  { line: 'krm-variants check --format=s', words: ['sarif'] },
  { line: 'krm-variants catalog a', words: ['add'] },
  { line: 'krm-variants fn --help check --unsafe', words: [''] },
  { line: 'krm-variants render ', words: [''] },
  { line: 'krm-variants promote --ring world --dry', words: ['--dry-run'] },
])('bash completes "$line"', async ({ line, words }) => {
  expect(await offered(line)).toEqual(words)
})

test('a line that is completed is neither run nor expanded', async () => {
  const [report, ran] = [join(folder, 'report.txt'), join(folder, 'RAN')]
  writeFileSync(report, 'mine')
  for (const word of [`>${report}`, `$(touch ${ran})`, `\`touch\t${ran}\``, `;touch\t${ran}`, '$HOME', '*'])
    expect(await offered(`krm-variants check ${word} --unsafe`)).toEqual(['--unsafe-fixes'])
  expect({ report: readFileSync(report, 'utf8'), hasRun: existsSync(ran) }).toEqual({ report: 'mine', hasRun: false })
})

test('without bash-completion the words of bash are completed', async () => {
  const script = `PATH=${folder}:$PATH; source <(krm-variants completion bash)
COMP_WORDS=(krm-variants check --format = s) COMP_CWORD=4; __krm_variants_complete; printf '%s\\n' "$\{COMPREPLY[@]}"`
  expect((await runProgram('bash', ['-c', script])).stdout.toString()).toBe('sarif\n')
})

test.each(['bash', 'zsh', 'fish'])('the script for %s defines a completion of the tool', async (shell) => {
  const { stdout, exitCode } = await runProgram(bundlePath('krm-variants'), ['completion', shell])
  expect(exitCode).toBe(0)
  expect(stdout.toString()).toMatch(/krm-variants complete/)
})
