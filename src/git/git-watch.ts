/** The word behind which the arguments of the watcher begin. */
export const WATCH = '--watch-git'

/**
 * A program of its own that runs git for a caller who waits: `WATCH SECONDS ARGUMENT…`. It is text, so that every bundle is one file.
 *
 * Git leads a process group. The group is ended when neither git nor a program that it started wrote anything for so many seconds, on a
 * signal (Ctrl-C reaches the watcher, which is in the caller's group), and when the caller is gone, whose end of the pipe 3 closes then.
 * A program that git left behind, such as the master of ssh's ControlPersist, may hold the pipes open: after the end of git they are closed
 * when nothing came for two seconds. The exit code is that of git, 124 when it was too slow, 128 and the number of the signal that ended
 * it.
 */
export const WATCH_SCRIPT = `
const { spawn } = require('node:child_process')
const { Socket } = require('node:net')
const { constants } = require('node:os')
const [seconds, ...args] = process.argv.slice(process.argv.indexOf('${WATCH}') + 1)
const git = spawn('git', args, { detached: true, stdio: ['inherit', 'pipe', 'pipe'] })
let ended
const end = (code) => {
  ended ??= code
  try { process.kill(-git.pid, 'SIGKILL') } catch { git.kill('SIGKILL') }
  close()
}
const close = () => [git.stdout, git.stderr].forEach((pipe) => pipe.destroy())
let timer = setTimeout(() => end(124), seconds * 1000)
git.on('exit', () => {
  clearTimeout(timer)
  timer = setTimeout(close, 2000)
})
for (const name of ['stdout', 'stderr'])
  git[name].on('data', (bytes) => {
    timer.refresh()
    process[name].write(bytes)
  })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(128 + constants.signals[signal]))
const caller = new Socket({ fd: 3 })
caller.on('error', () => end(129)).on('close', () => end(129)).resume().unref()
git.on('error', (error) => {
  process.stderr.write('git cannot be run: ' + error.message + '\\n')
  process.exit(error.code === 'ENOENT' ? 127 : 126)
})
git.on('close', (code, signal) => {
  clearTimeout(timer)
  process.exitCode = ended ?? code ?? 128 + constants.signals[signal]
  caller.destroy()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
})
`
