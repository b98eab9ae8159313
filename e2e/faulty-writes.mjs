// Loaded before a program with `node --import`: the writes of the program below FAULT_ROOT are counted, and one of them meets with a fault.
//
// FAULT_AT: the number of the write, from 0; without it every write is made.
// FAULT_KIND: `before` ends the process with SIGKILL before the write, `within` when half of the write is done; any other word is the code
// of the error that the write throws (ENOSPC, EIO, EACCES).
// FAULT_LOG: a file that gets a line for each write: OPERATION PATH.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const { FAULT_ROOT = '', FAULT_AT = '-1', FAULT_KIND = 'before', FAULT_LOG } = process.env
const WRITES = [
  ...['appendFileSync', 'chmodSync', 'copyFileSync', 'cpSync', 'fsyncSync', 'linkSync', 'lutimesSync', 'mkdirSync', 'mkdtempSync'],
  ...['renameSync', 'rmSync', 'rmdirSync', 'symlinkSync', 'truncateSync', 'unlinkSync', 'utimesSync', 'writeFileSync'],
]
const real = { ...fs }
let count = 0

for (const name of WRITES) {
  fs[name] = (...args) => {
    const places = args.slice(0, 2).filter((each) => typeof each === 'string' && each.startsWith(FAULT_ROOT))
    if (places.length === 0) return real[name](...args)
    if (FAULT_LOG !== undefined) real.appendFileSync(FAULT_LOG, `${name} ${places.join(' ')}\n`)
    if (count++ !== Number(FAULT_AT)) return real[name](...args)
    return meetFault(name, args)
  }
}
syncBuiltinESMExports()

function meetFault(name, args) {
  if (FAULT_KIND === 'within') half(name, args)
  if (FAULT_KIND === 'within' || FAULT_KIND === 'before') process.kill(process.pid, 'SIGKILL')
  throw Object.assign(new Error(`${FAULT_KIND}: ${name} '${args[0]}'`), { code: FAULT_KIND, syscall: name, path: args[0] })
}

/** What is there of a write that is interrupted: the first half of a file, the folder without one of its files. */
function half(name, [place, content]) {
  if (name === 'writeFileSync') real.writeFileSync(place, content.slice(0, content.length / 2))
  if (name === 'rmSync' && real.existsSync(place) && real.statSync(place).isDirectory()) {
    const [first] = real.readdirSync(place)
    if (first !== undefined) real.rmSync(join(place, first), { recursive: true })
  }
}
