export { stageHost as hostOfStage } from "./R6Values";
