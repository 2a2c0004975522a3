import {start, startStage} from './network';

start();
startStage();
