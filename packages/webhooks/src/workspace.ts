/** For the tests of this repository. Not published. */
export { settleDelivery } from './deliveries/deliver.ts'
