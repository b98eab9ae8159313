import { main } from '../../src/run.ts'
import { checkPolicies } from './check-policies.ts'

await main(checkPolicies)
