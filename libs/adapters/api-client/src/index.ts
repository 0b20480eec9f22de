export {
  ApiClient,
  type Address,
  type AnswerOf,
  type ApiRequest,
  type BodyOf,
  type Details,
  type Given,
  type JsonAddress,
  type QueryOf,
  type Sending,
  type TextAddress,
} from './api-client';
export { ApiError, isApiError } from './api-error';
