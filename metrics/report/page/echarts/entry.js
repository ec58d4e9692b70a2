// The parts of Apache ECharts that the page uses; ./build makes echarts.min.js of them. What is
// missing here fails the browser tests of the page.
import {use} from "echarts/core";
import {BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart} from "echarts/charts";
import {AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent,
  VisualMapComponent} from "echarts/components";
import {LabelLayout} from "echarts/features";
import {SVGRenderer} from "echarts/renderers";
import {encodeHTML} from "zrender/lib/core/dom.js";

// Of the toolbox two features are used, which the library offers with all others only.
import "echarts/lib/component/dataZoomSelect";
import ToolboxModel from "echarts/lib/component/toolbox/ToolboxModel.js";
import ToolboxView from "echarts/lib/component/toolbox/ToolboxView.js";
import {registerFeature} from "echarts/lib/component/toolbox/featureManager.js";
import DataZoom from "echarts/lib/component/toolbox/feature/DataZoom.js";
import Restore from "echarts/lib/component/toolbox/feature/Restore.js";

function Toolbox(registers) {
  registers.registerComponentModel(ToolboxModel);
  registers.registerComponentView(ToolboxView);
  registerFeature("dataZoom", DataZoom);
  registerFeature("restore", Restore);
}

use([BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart,
  AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, Toolbox, TooltipComponent,
  VisualMapComponent, LabelLayout, SVGRenderer]);

export {getInstanceByDom, init, version} from "echarts/core";

export const format = {encodeHTML};
