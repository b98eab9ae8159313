import { beforeEach } from 'vitest'
import { openBudget } from '../src/cel/budget.ts'

// The files of a process share the account of evaluations, and an evaluation that meets a limit leaves the account spent. A test that calls
// parts of CEL by themselves begins with a new account, as an evaluation does.
beforeEach(openBudget)
