// `npm run check`: lint, types and knip beside each other, since knip uses one core. Prints what each says when all have ended, in this order.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ROOT } from './ready.mjs'

const ended = await Promise.all(['lint', 'types', 'knip'].map(runScript))
for (const { name, said } of ended) process.stdout.write(`=== ${name}\n${said}`)
process.exitCode = ended.every(({ code }) => code === 0) ? 0 : 1

/** Runs a script of package.json. Returns its exit code with all that the script printed. */
async function runScript(name) {
  const script = spawn('npm', ['run', '--silent', name], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const exit = new Promise((resolve) => script.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(script.stdout), text(script.stderr), exit])
  return { name, said: stdout + stderr, code }
}
