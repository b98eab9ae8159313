import fc from 'fast-check'
import { beforeEach } from 'vitest'
import { openBudget } from '../src/cel/budget.ts'
import './compare-objects.ts'

// The files of a process share the account of evaluations, and an evaluation that meets a limit leaves the account spent. A test that calls
// parts of CEL by themselves begins with a new account, as an evaluation does.
beforeEach(openBudget)

// A test that fails is a fault of the change that it tests, not of the day: the same cases each time. A job of CI tries others.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })
