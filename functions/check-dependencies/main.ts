import { main } from '../../src/run.ts'
import { checkDependencies } from './check-dependencies.ts'

await main(checkDependencies)
